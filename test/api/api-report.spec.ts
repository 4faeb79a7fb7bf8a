import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPublicApi, type EntryPoint, type PublicDeclaration } from './public-api.js';

const REPORT = fileURLToPath(new URL('../../docs/api-report.md', import.meta.url));

/** What is part of a public declaration and has no name of its own for users. */
const NAMELESS = [
  'ConfigurableModuleClass',
  'NoContent',
  'PartFields',
  'Result',
  'TakenMessage',
  'TaskRequest',
];

describe('the public API', () => {
  let entries: readonly EntryPoint[];
  let declarations: readonly PublicDeclaration[];

  beforeAll(() => {
    entries = readPublicApi({
      'nest-a2a': 'index.ts',
      'nest-a2a/testing': 'testing/index.ts',
      'nest-a2a/sql': 'sql/index.ts',
      'nest-a2a/redis': 'redis/index.ts',
    });
    declarations = entries.flatMap((entry) => entry.declarations);
  });

  it('is what docs/api-report.md says', async () => {
    const hint =
      'The public API has changed. If that is meant: npm run api:update, and commit docs/api-report.md';
    await expect(report(entries), hint).toMatchFileSnapshot(REPORT);
  });

  it('names everything that it speaks of', () => {
    const missing = new Set(declarations.flatMap((declaration) => declaration.missing));
    expect([...missing].sort()).toEqual(NAMELESS);
  });

  it('has no "any"', () => {
    expect(declarations.filter(({ mentionsAny }) => mentionsAny).map(({ name }) => name)).toEqual([]);
  });
});

function report(entries: readonly EntryPoint[]): string {
  const sections = entries.map(({ name, declarations }) => {
    const texts = declarations.map(({ text }) => text);
    return `## ${name}\n\n\`\`\`typescript\n${texts.join('\n\n')}\n\`\`\`\n`;
  });
  return [
    '# Public API\n',
    'Everything that users can import, without its documentation: made by `npm run api:update` from `lib/`, and compared',
    'by `npm test`, so that it changes only on purpose.\n',
    ...sections,
  ].join('\n');
}

import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const { layersRule } = await import(new URL('eslint-layers.js', root).href);

/** What the rule says of `code` as the text of `lib/<file>`. */
function lint(file: string, code: string): string[] {
  const linter = new Linter({ configType: 'flat', cwd: '/' });
  const config = [
    {
      files: ['**/*.ts'],
      plugins: { layers: { rules: { 'imports-go-down': layersRule } } },
      rules: { 'layers/imports-go-down': 'error' as const },
    },
  ];
  const filename = new URL(`lib/${file}`, root).pathname;
  return linter.verify(code, config, { filename }).map(({ message }) => message);
}

describe('the lint rule for layers', () => {
  it.each([
    ['server/x.ts', `import '../protocol/index.js'`],
    ['server/x.ts', `import './y.js'`],
    ['server/deep/x.ts', `import '../y.js'`],
    ['bindings/http-json/x.ts', `import '../../http/x.js'`],
    ['module/x.ts', `import '../server/x.js'`],
    ['testing/x.ts', `import '../module/x.js'`],
    ['index.ts', `export { x } from './module/x.js'`],
    ['protocol/x.spec.ts', `import '../server/x.js'`],
  ])('lets lib/%s say %s', (file, code) => {
    expect(lint(file, code)).toEqual([]);
  });

  it.each([
    ['protocol/x.ts', `import '../server/x.js'`, 'protocol/ must not import server/: it may import nothing'],
    ['server/x.ts', `export * from '../http/x.js'`, 'server/ must not import http/: it may import protocol/'],
    ['server/x.ts', `const x = import('../module/x.js')`, 'server/ must not import module/'],
    [
      'http/x.ts',
      `export { x } from '../bindings/http-json/x.js'`,
      'http/ must not import bindings/http-json/',
    ],
    ['bindings/http-json/x.ts', `import '../json-rpc/x.js'`, 'must not import bindings/json-rpc/'],
    ['card/x.ts', `import '../index.js'`, 'card/ must not import a public entry'],
    ['server/x.ts', `import '../../test/setup.js'`, 'lib/ must not import from outside of itself'],
    ['misc/x.ts', `import './y.js'; import '../protocol/index.js'`, 'lib/misc/ is in no layer'],
  ])('refuses that lib/%s says %s', (file, code, message) => {
    expect(lint(file, code).join('\n')).toContain(message);
  });
});

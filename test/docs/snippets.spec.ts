import { describe, expect, it } from 'vitest';
import { codeBlocks, DOCUMENTS, readDocument, ROOT } from './markdown.js';
import { typeCheck } from './type-check.js';

describe('the code in the documents', () => {
  it('compiles', () => {
    const files = new Map<string, string>();
    const firstAgent = codeBlocks(readDocument('README.md')).filter(({ file }) => file);
    for (const document of DOCUMENTS) {
      // A document may go on with the files that the README has made.
      for (const { file, code } of firstAgent) files.set(`${ROOT}.snippets/${document}/${file}`, code);
      for (const { language, code, line, file } of codeBlocks(readDocument(document))) {
        if (language !== 'ts') continue;
        // A line of the snippet is where the document has it, so that a fault is easy to find.
        const padding = '\n'.repeat(line - 1);
        files.set(
          `${ROOT}.snippets/${document}/${file ?? `line-${line}.ts`}`,
          `${padding}${code}\nexport {};\n`,
        );
      }
    }
    expect(files.size).toBeGreaterThan(5);
    // Shows that a fault would be seen.
    files.set(`${ROOT}.snippets/fault.ts`, `import { nothing } from 'nest-a2a';`);
    expect(typeCheck(files)).toEqual([
      expect.stringContaining(`.snippets/fault.ts:1: Module '"nest-a2a"' has no exported`),
    ]);
  });
});

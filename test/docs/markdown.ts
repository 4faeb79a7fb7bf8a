import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The documents whose content is held true by tests, relative to {@link ROOT}. */
export const DOCUMENTS = [
  'README.md',
  ...readdirSync(`${ROOT}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export interface CodeBlock {
  language: string;
  code: string;
  /** The line of the document that holds the first line of the code, counted from 1. */
  line: number;
  /** The `##` heading above it. */
  section: string;
  /** The file that the first line of the code names, as in `// src/main.ts`. */
  file?: string;
}

export function readDocument(name: string): string {
  return readFileSync(`${ROOT}${name}`, 'utf8');
}

/** The fenced code of a document. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let section = '';
  let open: { language: string; lines: string[]; line: number } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open && line === '```') {
      const file = /^\/\/ src\/([\w./-]+)$/.exec(open.lines[0] ?? '')?.[1];
      const code = open.lines.join('\n');
      blocks.push({ language: open.language, code, line: open.line, section, ...(file && { file }) });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (line.startsWith('```')) open = { language: line.slice(3), lines: [], line: index + 2 };
    else if (line.startsWith('## ')) section = line.slice(3);
  }
  return blocks;
}

/** The rows of the first table below a heading, cell by cell, without its two head lines. */
export function tableBelow(markdown: string, heading: string): string[][] {
  const lines = markdown.split('\n');
  const head = lines.findIndex((line) => line.replace(/^#+ /, '') === heading);
  if (head === -1) throw new Error(`There is no heading "${heading}"`);
  const start = lines.findIndex((line, index) => index > head && line.startsWith('|'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

import type { Part } from 'nest-a2a';

const FILE = { filename: 'output.txt', mediaType: 'text/plain' };

/** A file by its bytes. */
export const BYTES: Part<Uint8Array> = { raw: new TextEncoder().encode('Generated file content\n'), ...FILE };

/** The same file by its address. */
export const LINK: Part = { url: 'https://example.com/output.txt', ...FILE };

export const DATA: Part = { data: { key: 'value', count: 42 } };

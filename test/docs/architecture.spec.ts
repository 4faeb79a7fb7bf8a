import { expect, it } from 'vitest';
import { readDocument, ROOT, tableBelow } from './markdown.js';

const { LAYERS } = await import(new URL(`file://${ROOT}eslint-layers.js`).href);

it('the layers of docs/architecture.md are those that the lint rule enforces', () => {
  for (const [folder = '', , allowed = ''] of tableBelow(readDocument('docs/architecture.md'), 'Layers')) {
    if (allowed === 'all') continue;
    const names = [...allowed.matchAll(/`([\w/-]+)\/`/g)].map(([, name]) => name);
    expect([folder, names]).toEqual([folder, LAYERS[folder.replace(/^`(.*)\/`$/, '$1')]]);
  }
});

import { expect, it } from 'vitest';
import { AGENT_RULES, MODULE_RULES } from '../../lib/client/module/client-option-rules.js';
import { readDocument, tableBelow } from './markdown.js';

const described = tableBelow(readDocument('docs/client.md'), 'Options of an agent').map(([name = '']) =>
  name.replaceAll('`', ''),
);

it('the table of the options of an agent has every option, and no other', () => {
  expect([...described].sort()).toEqual(Object.keys(AGENT_RULES).sort());
});

it('says which of them the module takes for all agents', () => {
  const common = described.slice(described.indexOf('bindings'));
  expect(Object.keys(MODULE_RULES).sort()).toEqual([...common, 'agents', 'connect'].sort());
});

import { expect, it } from 'vitest';
import { FinishOrder } from './finish-order.js';

it('gives what came first, also when it was emptied before or an entry came anew', () => {
  const order = new FinishOrder<string>();
  expect(order.takeFirst()).toBeUndefined();
  for (const entry of ['a', 'b', 'c', 'd']) order.add(entry);
  order.delete('b');
  expect([order.takeFirst(), order.takeFirst()]).toEqual(['a', 'c']);
  order.delete('d');
  expect([order.size, order.takeFirst()]).toEqual([0, undefined]);
  for (const entry of ['e', 'f', 'a']) order.add(entry);
  order.delete('e');
  order.add('e');
  expect([order.takeFirst(), order.takeFirst(), order.takeFirst(), order.size]).toEqual(['f', 'a', 'e', 0]);
});

import { expect, it } from 'vitest';
import { LruMap } from './lru-map.js';

it('forgets what was not used for the longest time, past its limit only', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('b', 3);
  expect([map.get('a'), map.size]).toEqual([1, 2]);
  map.set('c', 4);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 4, 2]);
  map.delete('a');
  expect([map.get('a'), map.size]).toEqual([undefined, 1]);
});

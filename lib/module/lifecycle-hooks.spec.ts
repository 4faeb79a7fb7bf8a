import { describe, expect, it } from 'vitest';
import { runHooksOnce } from './lifecycle-hooks.js';

describe('runHooksOnce', () => {
  it('runs a hook once, on the object itself, and gives its result again', async () => {
    class Hooked {
      #calls = 0;
      async onModuleInit(): Promise<number> {
        return ++this.#calls;
      }
      onModuleDestroy(signal: string): string {
        return signal;
      }
    }
    const hooked = new Hooked();
    runHooksOnce(hooked);
    runHooksOnce(hooked);
    expect([await hooked.onModuleInit(), await hooked.onModuleInit()]).toEqual([1, 1]);
    expect([hooked.onModuleDestroy('a'), hooked.onModuleDestroy('b')]).toEqual(['a', 'a']);
    expect(Object.keys(hooked)).toEqual([]);
  });

  it('leaves an object without hooks alone', () => {
    const plain = Object.freeze({ value: 1 });
    expect(() => runHooksOnce(plain)).not.toThrow();
  });
});

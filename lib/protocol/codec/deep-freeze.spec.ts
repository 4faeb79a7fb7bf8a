import { describe, expect, it } from 'vitest';
import { deepFreeze, taskToBytes, toBytes } from './index.js';

describe('deepFreeze', () => {
  it('freezes every level and answers its argument', () => {
    const value = { a: [{ b: { c: 1 } }], n: null, s: 'x' };
    expect(deepFreeze(value)).toBe(value);
    expect(() => {
      value.a[0]!.b.c = 2;
    }).toThrow(TypeError);
    expect(() => value.a.push({ b: { c: 3 } })).toThrow(TypeError);
  });

  it('takes depth, breadth, cycles and bytes in its stride', () => {
    let deep: unknown = {};
    for (let level = 0; level < 50_000; level++) deep = [deep];
    expect(Object.isFrozen(deepFreeze(deep))).toBe(true);
    const wide = deepFreeze(Array.from({ length: 150_000 }, () => ({})));
    expect(wide.every((item) => Object.isFrozen(item))).toBe(true);
    const cycle: Record<string, unknown> = { bytes: Uint8Array.of(1) };
    cycle.self = cycle;
    expect(Object.isFrozen(deepFreeze(cycle))).toBe(true);
    expect(deepFreeze(5)).toBe(5);
  });
});

describe('toBytes', () => {
  const message = {
    messageId: 'm',
    role: 'ROLE_AGENT' as const,
    parts: [{ raw: 'AQI=', filename: 'f' }, { text: 'a' }],
  };
  const decoded = { ...message, parts: [{ raw: Uint8Array.of(1, 2), filename: 'f' }, { text: 'a' }] };

  it('S-14: changes the parts that hold bytes, in a copy', () => {
    const frozen = deepFreeze(structuredClone(message));
    expect(toBytes(frozen)).toEqual(decoded);
    expect(toBytes(frozen).parts[1]).toBe(frozen.parts[1]);
  });

  it('S-14: reaches every part of a task', () => {
    const status = { state: 'TASK_STATE_WORKING' as const };
    const artifact = { artifactId: 'a', parts: message.parts };
    expect(
      taskToBytes({ id: 't', status: { ...status, message }, artifacts: [artifact], history: [message] }),
    ).toEqual({
      id: 't',
      status: { ...status, message: decoded },
      artifacts: [{ artifactId: 'a', parts: decoded.parts }],
      history: [decoded],
    });
    expect(Object.keys(taskToBytes({ id: 't', status }).status)).toEqual(['state']);
  });
});

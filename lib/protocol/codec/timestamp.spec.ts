import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../../test/support/violations.js';
import { decode, TaskStatusSchema } from './index.js';

const read = (timestamp: unknown, from: 'wire' | 'agent' = 'wire') =>
  decode(TaskStatusSchema, { state: 'TASK_STATE_WORKING', timestamp }, { from }).timestamp;
const isRefused = (timestamp: unknown, from?: 'wire' | 'agent') =>
  violationsOf(() => read(timestamp, from)).some(({ field }) => field === 'timestamp');

describe('timestamps', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000Z'],
    ['2025-12-31T19:30:00-04:30', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.500Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01T00:00:00.999999999Z', '2026-01-01T00:00:00.999Z'],
    ['2026-01-01t00:00:00z', '2026-01-01T00:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z'],
  ])('O-PART-07, S-U4: %s is %s', (given, expected) => {
    expect(read(given)).toBe(expected);
  });

  it.each([
    '',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.1234567890Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+0100',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '+02026-01-01T00:00:00Z',
    'Thu, 01 Jan 2026 00:00:00 GMT',
    '2026-01-01T00:00:00Z\n',
    1767225600000,
    { seconds: 1 },
  ])('refuses %j', (given) => {
    expect(isRefused(given)).toBe(true);
  });

  it('O-PART-07: takes the Date of an agent, and no Date from elsewhere', () => {
    const date = new Date('2026-01-01T00:00:00.007Z');
    expect(read(date, 'agent')).toBe('2026-01-01T00:00:00.007Z');
    expect(isRefused(date)).toBe(true);
    expect(isRefused(new Date(NaN), 'agent')).toBe(true);
    expect(isRefused(new Date(8.64e15), 'agent')).toBe(true);
  });

  it('O-PART-07: a status without a timestamp stays without one here', () => {
    expect(read(undefined)).toBeUndefined();
    expect(read(null)).toBeUndefined();
  });
});

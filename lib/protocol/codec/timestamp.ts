import type { Decoder, Unset } from './decoder.js';
import { describeType, quote } from './field-path.js';

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');
const EXPECTED = 'must be an RFC 3339 timestamp such as 2026-01-31T12:00:00.000Z';

/** Reads a timestamp of any offset and precision as UTC with milliseconds. */
export function readTimestamp(value: unknown, decoder: Decoder): string | Unset {
  if (typeof value === 'string') {
    const time = parseTimestamp(value);
    if (time !== undefined) return new Date(time).toISOString();
    // A "+" that was not escaped arrives as a space.
    const hint = decoder.fromQuery && value.includes(' ') ? ' (in a query string, "+" is written "%2B")' : '';
    return decoder.fault(`${EXPECTED}, not ${quote(value)}${hint}`);
  }
  if (decoder.fromAgent && value instanceof Date) {
    const time = value.getTime();
    if (time >= EARLIEST && time <= LATEST) return value.toISOString();
    return decoder.fault(`must be a date between the years 1 and 9999`);
  }
  return decoder.fault(`${EXPECTED}, not ${describeType(value)}`);
}

function parseTimestamp(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  const offsetHour = Number(match[9] ?? 0);
  const offsetMinute = Number(match[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined;
  // Digits past the millisecond are dropped: the protocol has no more.
  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  // Date.UTC takes the years 0 to 99 for 1900 to 1999, which setUTCFullYear does not.
  const local = new Date(Date.UTC(2000, month - 1, day, hour, minute, second, millisecond));
  local.setUTCFullYear(year, month - 1, day);
  const offset = (offsetHour * 60 + offsetMinute) * 60_000;
  const time = local.getTime() - (match[8] === '-' ? -offset : offset);
  return time >= EARLIEST && time <= LATEST ? time : undefined;
}

type Six = [number, number, number, number, number, number];

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

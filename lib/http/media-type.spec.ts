import { describe, expect, it } from 'vitest';
import { mediaTypeFault } from './media-type.js';

describe('mediaTypeFault', () => {
  it.each([
    'application/json',
    'application/a2a+json',
    ' Application/A2A+JSON ; charset=UTF8',
    'application/json;v=1;charset="utf-8"',
    'application/json; x-charset=latin1',
    'application/json; charset=US-ASCII',
  ])('takes %s', (type) => {
    expect(mediaTypeFault({ 'content-type': type, 'content-encoding': 'Identity' })).toBeUndefined();
  });

  it.each([
    [{}],
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/json+x' }],
    [{ 'content-type': 'application/vnd.api+json' }],
    [{ 'content-type': 'application/json; charset=iso-8859-1' }],
    [{ 'content-type': 'application/json', 'content-encoding': 'br' }],
  ])('refuses %o', (headers) => {
    expect(mediaTypeFault(headers)?.httpStatus).toBe(415);
  });
});

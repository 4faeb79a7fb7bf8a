import { describe, expect, it } from 'vitest';
import { HTTP_DEFAULTS, resolveHttpOptions } from './http-options.js';

describe('resolveHttpOptions', () => {
  it('fills in defaults, takes undefined for absent and leaves out what is not its own', () => {
    expect(resolveHttpOptions()).toEqual(HTTP_DEFAULTS);
    const given = {
      keepAliveInterval: 0,
      streamIdleTimeout: undefined,
      limits: { nesting: 5, other: 1 },
      card: {},
    };
    expect(resolveHttpOptions(given)).toEqual({
      ...HTTP_DEFAULTS,
      keepAliveInterval: 0,
      limits: { ...HTTP_DEFAULTS.limits, nesting: 5 },
    });
  });
});

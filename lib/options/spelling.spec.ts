import { describe, expect, it } from 'vitest';
import { closest } from './spelling.js';

const KNOWN = ['path', 'publicUrl', 'keepAliveInterval', 'cancelTimeout', 'turnTimeout'];

describe('closest', () => {
  it.each([
    ['publicURL', 'publicUrl'],
    ['keepAliveIntervall', 'keepAliveInterval'],
    ['keepaliveintervl', 'keepAliveInterval'],
    ['turnTimout', 'turnTimeout'],
    ['pth', 'path'],
    ['patch', 'path'],
  ])('%s means %s', (word, meant) => {
    expect(closest(word, KNOWN)).toBe(meant);
  });

  it.each(['', 'url', 'math2', 'timeout', 'extendedAgentCard'])('"%s" means nothing known', (word) => {
    expect(closest(word, KNOWN)).toBeUndefined();
  });
});

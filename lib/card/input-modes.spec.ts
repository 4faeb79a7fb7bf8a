import { describe, expect, it } from 'vitest';
import { inputModeMatcher } from './input-modes.js';

const skill = (...inputModes: string[]) => ({ id: 's', name: 'S', description: '', inputModes });

describe('inputModeMatcher', () => {
  it('S-99: accepts the default modes and those of every skill', () => {
    const accepts = inputModeMatcher({
      defaultInputModes: ['text/plain'],
      skills: [skill('image/png'), skill('application/json')],
    });
    expect(['text/plain', 'image/png', 'application/json', 'image/gif'].map(accepts)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it.each([{}, { defaultInputModes: [], skills: [] }, { skills: [{ id: 's', name: 'S', description: '' }] }])(
    'S-99: accepts everything if nothing is declared: %j',
    (card) => {
      expect(inputModeMatcher(card)('video/mp4')).toBe(true);
    },
  );

  it('counts the default mode of the served card where only a skill declares some', () => {
    const accepts = inputModeMatcher({ skills: [skill('image/png')] });
    expect(['text/plain', 'image/png', 'image/gif'].map(accepts)).toEqual([true, true, false]);
  });

  it.each([
    ['text/plain', 'TEXT/Plain; charset=utf-8', true],
    ['Text/Plain;q=1', 'text/plain', true],
    ['text', 'text/html', true],
    ['text', 'textual/html', false],
    ['text/*', 'text/markdown', true],
    ['text/*', 'image/png', false],
    ['*/*', 'image/png', true],
    ['text/plain', 'text/*', false],
    ['text/plain', 'text', false],
  ])('S-101: %s against %s is %s', (declared, given, expected) => {
    expect(inputModeMatcher({ defaultInputModes: [declared] })(given)).toBe(expected);
  });
});

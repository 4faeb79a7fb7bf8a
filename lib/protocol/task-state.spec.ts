import { describe, expect, it } from 'vitest';
import { isInterrupted, isTerminal, TaskState } from './task-state.js';

describe('task states', () => {
  it.each([
    [TaskState.Unspecified, false, false],
    [TaskState.Submitted, false, false],
    [TaskState.Working, false, false],
    [TaskState.Completed, true, false],
    [TaskState.Failed, true, false],
    [TaskState.Canceled, true, false],
    [TaskState.Rejected, true, false],
    [TaskState.InputRequired, false, true],
    [TaskState.AuthRequired, false, true],
  ])('%s: terminal %s, interrupted %s', (state, terminal, interrupted) => {
    expect(isTerminal(state)).toBe(terminal);
    expect(isInterrupted(state)).toBe(interrupted);
  });

  it('are nine', () => {
    expect(new Set(Object.values(TaskState)).size).toBe(9);
  });
});

import { steps, type Behaviour } from './behaviour.js';
import { BY_MESSAGE_ID } from './by-message-id.js';
import { chunked, chunks } from './chunks.js';
import { seen } from './seen.js';
import {
  completed,
  failed,
  inputRequired,
  pause,
  reply,
  stubbornPause,
  text,
  throws,
  untilCanceled,
  working,
} from './steps.js';

const REFUSE_CANCEL = 'refuse-cancel';

/** What a message asks for by a word as its whole text. */
const BY_WORD: Readonly<Record<string, Behaviour>> = {
  ...BY_MESSAGE_ID,
  wait: steps(working, untilCanceled),
  [REFUSE_CANCEL]: steps(working, stubbornPause(3_000), completed()),
  stop: steps(working),
  context: steps(seen, completed()),
  'tck-long-running': steps(working, pause(2_000), text('Long-running result'), completed()),
  'tck-multi-turn': steps(inputRequired('Tell me more, or "done"')),
  'tck-cancel': steps(working, untilCanceled),
  'tck-stream-basic': steps(working, text('Streamed text content'), completed()),
  'tck-stream-chunked': steps(working, chunked(['chunk-1 ', 'chunk-2']), completed()),
  'tck-task-failure': steps(failed('The task failed as it was asked to')),
};

type Asks = (...values: string[]) => Behaviour;

/** What a message asks for by a verb at the start of its text and what follows it. */
const BY_VERB: readonly (readonly [pattern: RegExp, asks: Asks])[] = [
  [/^chunks:(\d+)$/, (n) => steps(working, chunks(Number(n)), completed())],
  [/^chunks:(\d+):(\d+)$/, (n, ms) => steps(working, pause(Number(ms)), chunks(Number(n)), completed())],
  [/^pace:(\d+):(\d+)$/, (n, ms) => steps(working, chunks(Number(n), Number(ms)), completed())],
  [/^sleep:(\d+)$/, (ms) => steps(pause(Number(ms)), text('slept'), completed())],
  [/^ask:(.*)$/s, (question = '') => steps(inputRequired(question))],
  [/^throw:(.*)$/s, (message = '') => steps(throws(message))],
  [/^work-throw:(.*)$/s, (message = '') => steps(working, throws(message))],
  [/^reply:(.*)$/s, (message = '') => reply(message)],
];

/** The behaviour that a text asks for: to echo it, if it is nothing else. */
export function behaviourOfText(value: string): Behaviour {
  if (Object.hasOwn(BY_WORD, value)) return BY_WORD[value] ?? echo(value);
  for (const [pattern, asks] of BY_VERB) {
    const match = pattern.exec(value);
    if (match) return asks(...match.slice(1));
  }
  return echo(value);
}

/** Whether the text asks for a task that nobody can cancel. */
export function refusesCancel(value: string): boolean {
  return value === REFUSE_CANCEL;
}

function echo(value: string): Behaviour {
  return steps(working, text(value), completed());
}

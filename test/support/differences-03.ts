/**
 * What suites that run in both versions describe and what is not so in 0.3, by the beginnings of the tests' titles. All else that
 * differs is how things are spelled, and the drivers of 0.3 spell them.
 */
const DIFFERENCES_03: readonly { title: string; why: string; binding?: string }[] = [
  ...[
    'O-CANCEL-03: a second cancel is refused',
    'O-SEND-01, S-79: an unknown taskId',
    'O-SEND-11: an A2AError before the first update',
    'S-87, O-SUB-03: a missing task is 404',
  ].map((title) => ({ title, why: 'errors of 0.3 have no metadata' })),
  {
    title: 'S-48: a direct message may be a whole message, with bytes',
    why: 'HTTP+JSON of 0.3 has no metadata of parts and no names of files',
    binding: 'http-json 0.3',
  },
  { title: 'is refused where streaming is withheld', why: 'sends what is no request of either version' },
];

/** Why a test says nothing of 0.3; `undefined` if it does. */
export function differenceOf(test: string, driver: string): string | undefined {
  return DIFFERENCES_03.find(({ title, binding = driver }) => binding === driver && test.startsWith(title))
    ?.why;
}

/** The reasons of 1.0, which 0.3 does not send, by the codes that it does. */
export const REASONS_03: Readonly<Record<number, string>> = {
  [-32001]: 'TASK_NOT_FOUND',
  [-32002]: 'TASK_NOT_CANCELABLE',
  [-32003]: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  [-32004]: 'UNSUPPORTED_OPERATION',
  [-32005]: 'CONTENT_TYPE_NOT_SUPPORTED',
  [-32006]: 'INVALID_AGENT_RESPONSE',
  [-32007]: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
};

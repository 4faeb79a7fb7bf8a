import { randomUUID } from 'node:crypto';
import { deepEqual } from 'node:assert/strict';
import { Role, TaskState } from '../../protocol/index.js';
import { localCall } from '../../server/call-context.js';
import type { TaskSignal } from '../../server/task-event-bus.js';
import { eventually } from './bus-ends.js';
import type { BusCases } from './event-cases.js';

const REQUEST = { taskId: 't', from: 'w' };
const MESSAGE = {
  messageId: 'm',
  role: Role.User,
  parts: [{ text: 'é' }, { data: { none: null, list: [0, false, ''] } }, { raw: 'AQID' }],
  metadata: { deep: { none: null } },
};

/** One of each kind. Headers stay out of it: they may hold secrets, so a bus need not carry them. */
const SIGNALS: readonly TaskSignal[] = [
  {
    type: 'cancel',
    requestId: '1',
    ...REQUEST,
    metadata: { why: { none: null } },
    call: localCall({ identity: 'dave', authority: 'https://idp.example', tenant: 'a', scopes: ['s'] }),
  },
  { type: 'message', requestId: '2', ...REQUEST, message: MESSAGE },
  { type: 'webhooks', requestId: '3', ...REQUEST },
  { type: 'reply', requestId: '4' },
  { type: 'reply', requestId: '5', refused: 'no' },
  { type: 'reply', requestId: '6', failed: true },
  { type: 'reply', requestId: '8', gone: true },
  {
    type: 'reply',
    requestId: '7',
    taken: { task: { id: 't', contextId: 'c', status: { state: TaskState.AuthRequired } }, seq: 3 },
  },
];

export const SIGNAL_CASES: BusCases = {
  'signals of every kind reach the worker as they were sent, in order and once': async (ends) => {
    const worker = randomUUID();
    const heard = await ends.listen(ends.there, worker);
    for (const signal of SIGNALS) ends.here.signal(worker, signal);
    await eventually(() => heard.length >= SIGNALS.length);
    deepEqual(heard, SIGNALS);
  },

  'a worker is reached from its own end too': async (ends) => {
    const worker = randomUUID();
    const heard = await ends.listen(ends.here, worker);
    ends.here.signal(worker, { type: 'reply', requestId: 'own' });
    ends.there.signal(worker, { type: 'reply', requestId: 'other' });
    await eventually(() => heard.length >= 2);
    deepEqual(heard.map(({ requestId }) => requestId).sort(), ['other', 'own']);
  },

  'nobody hears the signals of another worker, and one for nobody is no error': async (ends) => {
    const [one, two] = [randomUUID(), randomUUID()];
    const heardOne = await ends.listen(ends.there, one);
    const heardTwo = await ends.listen(ends.here, two);
    ends.here.signal(randomUUID(), { type: 'reply', requestId: 'lost' });
    ends.here.signal(one, { type: 'reply', requestId: 'one' });
    ends.there.signal(two, { type: 'reply', requestId: 'two' });
    await eventually(() => heardOne.length >= 1 && heardTwo.length >= 1);
    deepEqual(
      [heardOne, heardTwo].map((heard) => heard.map(({ requestId }) => requestId)),
      [['one'], ['two']],
    );
  },
};

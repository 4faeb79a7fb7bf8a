import { whileWaiting } from '../output/waiting-line.js';
import type { Command } from './command.js';
import { requestOf } from './message-of.js';
import { printResult } from './print-result.js';

const DEFAULT_TIMEOUT = 300_000;
/** Somebody sits before the screen: ask soon, and less often later. */
const POLL = { interval: 250 };

export const wait: Command = {
  argument: 'TEXT',
  help: 'sends a message and asks for its task until it has ended or asks back',
  async run(context) {
    const { line, environment, connect } = context;
    const request = await requestOf(context);
    const client = await connect();
    const { timeout = DEFAULT_TIMEOUT } = line;
    const waiting = client.sendAndWait(request, { timeout, poll: POLL, signal: environment.signal });
    const outcome = await whileWaiting(environment.stderr, waiting);
    return printResult(context, outcome.task ? { task: outcome.task } : { message: outcome.message });
  },
};

import { isTask } from '../../client/results.js';
import { whileWaiting } from '../output/waiting-line.js';
import type { Command } from './command.js';
import { requestOf } from './message-of.js';
import { printResult } from './print-result.js';

export const send: Command = {
  argument: 'TEXT',
  help: 'sends a message and shows what the agent answers',
  async run(context) {
    const { environment, connect } = context;
    const request = await requestOf(context);
    const client = await connect();
    const sending = client.sendMessage(request, { signal: environment.signal });
    const result = await whileWaiting(environment.stderr, sending);
    return printResult(context, isTask(result) ? { task: result } : { message: result });
  },
};

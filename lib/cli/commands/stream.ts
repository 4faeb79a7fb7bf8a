import { isInterrupted, isTerminal, type StreamResponse } from '../../protocol/index.js';
import { exitCodeOfState } from '../exit-codes.js';
import { artifactText, messageText } from '../output/part-text.js';
import type { Printer } from '../output/printer.js';
import { printTask, stateText } from '../output/task-text.js';
import type { Command } from './command.js';
import { requestOf } from './message-of.js';

export const stream: Command = {
  argument: 'TEXT',
  help: 'sends a message and shows what the agent does, as it does it',
  async run(context) {
    const { line, environment, printer, connect } = context;
    const request = await requestOf(context);
    const client = await connect();
    const { reconnect } = line;
    const events = client.sendMessageStream(request, {
      signal: environment.signal,
      accumulate: false,
      reconnect,
    });
    let isFirst = true;
    for await (const event of events) {
      if (events.task) context.leaves(events.task.id);
      if (line.json) await printer.json(event, true);
      else await show(printer, event, isFirst);
      isFirst = false;
    }
    await printer.endLine();
    const { task } = await events.result();
    if (task && !line.json) await printer.status(`task ${task.id}: ${stateText(task.status.state)}`);
    return exitCodeOfState(task?.status.state);
  },
};

async function show(printer: Printer, event: StreamResponse<Uint8Array>, isFirst: boolean): Promise<void> {
  const { task, message, statusUpdate, artifactUpdate } = event;
  if (task && isFirst) await printer.status(`task ${task.id}: ${stateText(task.status.state)}`);
  // A later task is a stream that was taken up again: what it holds is what was missed, and more.
  else if (task) await printTask(printer, task);
  else if (message) await printer.line(messageText(message));
  else if (artifactUpdate) {
    const { artifact, append } = artifactUpdate;
    if (append !== true) await printer.endLine();
    await printer.text(artifactText(artifact));
  } else {
    const { state, message: said } = statusUpdate.status;
    const text = said && messageText(said);
    if (isTerminal(state) || isInterrupted(state)) {
      await printer.endLine();
      if (text !== undefined) await printer.line(text);
    } else
      await printer.status(
        `task ${statusUpdate.taskId}: ${stateText(state)}${text === undefined ? '' : `: ${text}`}`,
      );
  }
}

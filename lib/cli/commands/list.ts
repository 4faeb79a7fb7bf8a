import { EXIT } from '../exit-codes.js';
import { stateText } from '../output/task-text.js';
import type { Command } from './command.js';

export const list: Command = {
  argument: 'CONTEXT_ID',
  help: 'lists the tasks of a conversation, newest first; - for all tasks',
  async run({ line, environment: { signal }, printer, connect }) {
    const filter = line.argument === '-' ? {} : { contextId: line.argument };
    const client = await connect();
    const tasks = [];
    for await (const task of client.listAllTasks(filter, { signal })) {
      const { id, contextId = '', status } = task;
      if (line.json) tasks.push(task);
      else {
        const state = stateText(status.state).padEnd('input required'.length);
        await printer.line([id, state, status.timestamp ?? '', contextId].join('  ').trimEnd());
      }
    }
    if (line.json) await printer.json({ tasks });
    return EXIT.done;
  },
};

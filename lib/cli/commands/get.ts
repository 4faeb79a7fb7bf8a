import { EXIT } from '../exit-codes.js';
import { printTask } from '../output/task-text.js';
import type { Command } from './command.js';

export const get: Command = {
  argument: 'TASK_ID',
  help: 'shows a task as it stands',
  async run({ line, environment: { signal }, printer, connect }) {
    const task = await (await connect()).getTask({ id: line.argument }, { signal });
    if (line.json) await printer.json(task);
    else await printTask(printer, task);
    return EXIT.done;
  },
};

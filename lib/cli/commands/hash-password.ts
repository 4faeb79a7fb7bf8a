import { hashPassword } from '../../auth/basic/scrypt-hash.js';
import { EXIT } from '../exit-codes.js';
import { readPassword } from '../read-password.js';
import { UsageError } from '../usage-error.js';
import type { Command } from './command.js';

export const hashPasswordCommand: Command = {
  isLocal: true,
  help: 'makes the hash of a password, which it asks for or reads from standard input',
  async run({ environment, printer }) {
    const password = await readPassword(environment);
    if (password === '') throw new UsageError('The password is empty');
    await printer.line(await hashPassword(password));
    return EXIT.done;
  },
};

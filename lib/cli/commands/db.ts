import { UnavailableError } from '../../protocol/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { UsageError } from '../usage-error.js';
import type { Command, CommandContext } from './command.js';

export const db: Command = {
  isLocal: true,
  argument: 'migrate|status',
  help: 'brings the database of agents up to date, or shows how far it is',
  async run(context) {
    const { argument } = context.line;
    if (argument !== 'migrate' && argument !== 'status') throw new UsageError('db takes migrate or status');
    try {
      return await (argument === 'migrate' ? migrate(context) : status(context));
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      await context.printer.error(`The database cannot be reached${causeOf(error)}`);
      return EXIT.connection;
    }
  },
};

async function migrate(context: CommandContext): Promise<ExitCode> {
  const database = await connect(context);
  try {
    const applied = await database.migrate();
    if (context.line.json) await context.printer.json({ applied });
    else await context.printer.line(applied.length === 0 ? 'up to date' : `applied: ${applied.join(', ')}`);
    return EXIT.done;
  } finally {
    await database.close();
  }
}

async function status(context: CommandContext): Promise<ExitCode> {
  const database = await connect(context);
  try {
    const { applied, pending } = await database.schemaStatus();
    if (context.line.json) await context.printer.json({ applied, pending });
    else {
      for (const name of applied) await context.printer.line(`applied  ${name}`);
      for (const name of pending) await context.printer.line(`missing  ${name}`);
    }
    return pending.length === 0 ? EXIT.done : EXIT.agentError;
  } finally {
    await database.close();
  }
}

async function connect({ line: { database, schema }, environment }: CommandContext) {
  const url = database ?? environment.env.A2A_DATABASE_URL ?? '';
  if (url === '') throw new UsageError('db needs --url, or A2A_DATABASE_URL in the environment');
  const { A2ADatabase } = await import('../../sql/a2a-database.js');
  return A2ADatabase.connect(url, schema === undefined ? {} : { schema });
}

/** What the driver says; it has no password in it. */
function causeOf({ cause }: Error): string {
  if (!(cause instanceof Error)) return '';
  const code = 'code' in cause ? String(cause.code) : '';
  return `: ${cause.message === '' ? code : cause.message}`;
}

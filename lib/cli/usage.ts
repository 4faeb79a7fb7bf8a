import { CLI_OPTIONS, type CliOptionName } from './cli-options.js';
import type { Command } from './commands/command.js';
import { COMMANDS } from './commands/commands.js';

/** What `--help` prints. */
export function usage(): string {
  const commands = Object.entries<Command>(COMMANDS).map(([name, { isLocal, argument, help }]) => [
    [name, ...(isLocal ? [] : ['URL']), ...(argument === undefined ? [] : [argument])].join(' '),
    help,
  ]);
  const options = (Object.keys(CLI_OPTIONS) as CliOptionName[]).map((name) => {
    const option: { value?: string; help: string } = CLI_OPTIONS[name];
    return [`--${name}${option.value === undefined ? '' : ` ${option.value}`}`, option.help];
  });
  return `Talks to an A2A agent.

  nest-a2a COMMAND URL [ARGUMENT] [OPTIONS]

URL is the address of the agent, where its card is found. A TEXT that is - is read from standard input.

${columns(commands)}

Options:

${columns(options)}

The environment variable A2A_TOKEN holds a bearer token, if the agent wants one.
`;
}

function columns(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

import { parseArgs } from 'node:util';
import {
  CLIENT_VERSIONS,
  type ClientBindingName,
  type ClientProtocolVersion,
} from '../client/choose-interface.js';
import { CLI_OPTIONS } from './cli-options.js';
import type { Command } from './commands/command.js';
import { COMMANDS, type CommandName } from './commands/commands.js';
import { UsageError } from './usage-error.js';
import { parseUrl } from '../net/parse-url.js';

/** What one command is to do. */
export interface CommandLine {
  readonly command: CommandName;
  readonly url: string;
  /** The text, the id of a task or of a context; empty for commands that take none. */
  readonly argument: string;
  readonly binding: ClientBindingName | undefined;
  readonly protocolVersion: ClientProtocolVersion | undefined;
  readonly endpoint: boolean;
  readonly tenant: string | undefined;
  readonly context: string | undefined;
  readonly task: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: readonly string[];
  /** Milliseconds. */
  readonly timeout: number | undefined;
  readonly reconnect: number;
  readonly extended: boolean;
  /** The URL of a database. */
  readonly database: string | undefined;
  readonly schema: string | undefined;
  readonly json: boolean;
  readonly verbose: boolean;
}

const BINDINGS: Readonly<Record<string, ClientBindingName>> = {
  'http-json': 'HTTP+JSON',
  'http+json': 'HTTP+JSON',
  'json-rpc': 'JSONRPC',
  jsonrpc: 'JSONRPC',
};

/**
 * Reads the arguments of the process.
 *
 * @throws UsageError
 */
export function parseCommandLine(args: readonly string[]): CommandLine | 'help' | 'version' {
  const { values, positionals } = parse(args);
  if (values.version) return 'version';
  const [name, ...words] = positionals;
  if (values.help || name === 'help' || name === undefined) return 'help';
  const command = commandNamed(name);
  const { url, argument } = operandsOf(command, words);
  return {
    command,
    url,
    argument,
    binding: bindingNamed(values.binding),
    protocolVersion: protocolNamed(values.protocol),
    endpoint: values.endpoint === true,
    tenant: values.tenant,
    context: values.context,
    task: values.task,
    headers: headersOf(values.header),
    extensions: values.extension ?? [],
    timeout: secondsOf(values.timeout),
    reconnect: timesOf(values.reconnect),
    extended: values.extended === true,
    database: databaseOf(values.url),
    schema: values.schema,
    json: values.json === true,
    verbose: values.verbose === true,
  };
}

function parse(args: readonly string[]) {
  if (args.some((arg) => /^--(?:token|password|auth|bearer)\b/.test(arg))) {
    throw new UsageError(
      'A token is taken from the environment: A2A_TOKEN. Others can see the arguments of a program',
    );
  }
  try {
    return parseArgs({ args: [...args], options: CLI_OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be read');
  }
}

function commandNamed(name: string): CommandName {
  if (Object.hasOwn(COMMANDS, name)) return name as CommandName;
  throw new UsageError(
    `There is no command ${JSON.stringify(name.slice(0, 40))}; there are ${Object.keys(COMMANDS).join(', ')}`,
  );
}

/** What stands behind the name of a command. */
function operandsOf(name: CommandName, words: readonly string[]): { url: string; argument: string } {
  const command: Command = COMMANDS[name];
  const operands = [
    ...(command.isLocal ? [] : ['the URL of an agent']),
    ...(command.argument === undefined
      ? []
      : [command.isLocal ? command.argument : `${command.argument} behind the URL`]),
  ];
  const missing = operands[words.length];
  if (missing !== undefined) throw new UsageError(`${name} needs ${missing}`);
  if (words.length > operands.length) {
    throw new UsageError(`${name} takes no more arguments; put quotes around a text`);
  }
  if (command.isLocal) return { url: '', argument: words[0] ?? '' };
  const [url = '', argument = ''] = words;
  checkUrl(url);
  return { url, argument };
}

/** What is wrong is not said with the URL, which may hold a secret. */
function checkUrl(text: string): void {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('The URL must begin with http:// or https://');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The URL must not hold a user or a password; a token is taken from A2A_TOKEN');
  }
}

function databaseOf(url: string | undefined): string | undefined {
  if (url !== undefined && /^postgres(?:ql)?:\/\/[^/@]*:[^/@]*@|[?&]password=/.test(url)) {
    throw new UsageError(
      'The URL of a database must not hold a password here, where others can see it: give it in A2A_DATABASE_URL',
    );
  }
  return url;
}

function bindingNamed(name: string | undefined): ClientBindingName | undefined {
  if (name === undefined) return undefined;
  const binding = BINDINGS[name.toLowerCase()];
  if (binding === undefined) throw new UsageError('--binding is http-json or json-rpc');
  return binding;
}

function protocolNamed(text: string | undefined): ClientProtocolVersion | undefined {
  if (text === undefined) return undefined;
  const version = CLIENT_VERSIONS.find((known) => known === text);
  if (version === undefined) throw new UsageError(`--protocol is ${CLIENT_VERSIONS.join(' or ')}`);
  return version;
}

function headersOf(lines: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(\S.*)$/.exec(line.trim()) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`A header is written as 'Name: value'`);
      return [name.toLowerCase(), value];
    }),
  );
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  // Longer than the timers of Node can be set.
  if (!(seconds > 0) || seconds > 2_000_000) throw new UsageError('--timeout is a number of seconds above 0');
  return seconds * 1000;
}

function timesOf(text = '0'): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError('--reconnect is a whole number');
  return Number(text);
}

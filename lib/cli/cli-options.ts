import type { ParseArgsOptionsConfig } from 'node:util';

/** The options of all commands: how they are written, and what the help says of them. */
export const CLI_OPTIONS = {
  binding: {
    type: 'string',
    value: 'NAME',
    help: 'http-json or json-rpc; default: what the card lists first',
  },
  protocol: {
    type: 'string',
    value: 'VERSION',
    help: '1.0 or 0.3; default: 1.0, and 0.3 where the card has no other',
  },
  endpoint: {
    type: 'boolean',
    help: 'URL is that of an interface, called without a card (json-rpc by default)',
  },
  tenant: { type: 'string', value: 'NAME', help: 'in place of the tenant that the card names' },
  context: { type: 'string', value: 'ID', help: 'goes on with a conversation' },
  task: { type: 'string', value: 'ID', help: 'goes on with a task, such as one that asked back' },
  header: {
    type: 'string',
    multiple: true,
    value: "'NAME: VALUE'",
    help: 'one more header; may be repeated',
  },
  extension: { type: 'string', multiple: true, value: 'URI', help: 'asks for an extension; may be repeated' },
  timeout: { type: 'string', value: 'SECONDS', help: 'default 30, and 300 for wait' },
  reconnect: {
    type: 'string',
    value: 'TIMES',
    help: 'how often in a row to take up a broken stream; default 0',
  },
  extended: { type: 'boolean', help: 'the card that the agent shows to callers it knows' },
  url: {
    type: 'string',
    value: 'URL',
    help: 'for db: postgres://USER@HOST/NAME or sqlite:FILE; default: A2A_DATABASE_URL in the environment',
  },
  schema: { type: 'string', value: 'NAME', help: 'for db: the schema of PostgreSQL that the tables are in' },
  json: { type: 'boolean', help: 'prints JSON: one document, or one event a line for stream' },
  verbose: { type: 'boolean', help: 'tells on standard error what is called' },
  help: { type: 'boolean', short: 'h', help: 'shows this' },
  version: { type: 'boolean', help: 'shows the version of the package' },
} as const satisfies ParseArgsOptionsConfig & Record<string, { help: string; value?: string }>;

export type CliOptionName = keyof typeof CLI_OPTIONS;

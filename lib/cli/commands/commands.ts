import { cancel } from './cancel.js';
import { card } from './card.js';
import type { Command } from './command.js';
import { db } from './db.js';
import { get } from './get.js';
import { hashPasswordCommand } from './hash-password.js';
import { list } from './list.js';
import { send } from './send.js';
import { stream } from './stream.js';
import { wait } from './wait.js';

export const COMMANDS = {
  send,
  wait,
  stream,
  get,
  list,
  cancel,
  card,
  'hash-password': hashPasswordCommand,
  db,
} as const satisfies Record<string, Command>;
export type CommandName = keyof typeof COMMANDS;

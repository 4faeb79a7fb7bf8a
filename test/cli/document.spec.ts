import { mkdirSync, writeFileSync } from 'node:fs';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../lib/cli/commands/commands.js';
import { EXIT } from '../../lib/cli/exit-codes.js';
import { codeBlocks, readDocument, ROOT, tableBelow } from '../docs/markdown.js';
import { sqliteFile } from '../support/sqlite-file.js';
import { runCommand } from './run-command.js';

const README = readDocument('README.md');
const DOCUMENT = readDocument('docs/command-line.md');
const HERE = 'http://localhost:3000';
const DATABASE = 'sqlite:agents.db';

/** A command as the document shows it, and what it prints there. */
interface Shown {
  readonly command: string;
  readonly printed: string;
}

const shown = codeBlocks(DOCUMENT)
  .filter(({ language }) => language === 'console')
  .flatMap(({ code }) => code.split(/^\$ /m).slice(1))
  .map((session): Shown => {
    const [command = '', ...lines] = session.trimEnd().split('\n');
    return { command, printed: lines.map((line) => `${line}\n`).join('') };
  });

describe('the commands of the document', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    // The agent that a newcomer has made by then.
    const folder = `${ROOT}.snippets/command-line`;
    mkdirSync(folder, { recursive: true });
    for (const { section, file, code } of codeBlocks(README)) {
      if (section === 'Your first agent' && file) writeFileSync(`${folder}/${file}`, code);
    }
    const { AppModule } = await import(`${folder}/app.module.ts`);
    app = await NestFactory.create(AppModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  it('O-82: print what the document shows', async () => {
    // Ids of the document by those that were really made: a later command names a task of an earlier one.
    const ids = new Map<string, string>();
    const database = sqliteFile();
    for (const { command, printed } of shown) {
      const [line = '', file] = command.split(' < ');
      const here = new Map([[HERE, url], [DATABASE, database], ...ids]);
      const args = wordsOf(line).map((word) => here.get(word) ?? word);
      expect(args.splice(0, 2)).toEqual(['npx', 'nest-a2a']);
      const { all } = await runCommand(args, { stdin: file === undefined ? '' : 'correct horse\n' });
      const real = all.replaceAll(url, HERE);
      const made = idsIn(real);
      for (const [index, id] of idsIn(printed).entries()) if (!ids.has(id)) ids.set(id, made[index] ?? '');
      expect([command, sameEverywhere(real)]).toEqual([command, sameEverywhere(printed)]);
    }
  });

  it('are all there are', () => {
    const used = shown.map(({ command }) => wordsOf(command)[2]);
    expect([...new Set(used)].sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it('exit as the document says', () => {
    const codes = tableBelow(DOCUMENT, 'The command line').map(([code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
  });
});

/** The words of a shell command without anything but single quotes. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

function idsIn(text: string): string[] {
  return text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
}

/** The same text with what differs from run to run made equal. */
function sameEverywhere(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/(?<=\$)[\w-]{22,}/g, 'RANDOM')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/^\{.*\}$/gm, sortedJson);
}

/** The order of keys in JSON means nothing. */
function sortedJson(line: string): string {
  return JSON.stringify(JSON.parse(line), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

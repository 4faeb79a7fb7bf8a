import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { sqliteFile } from '../support/sqlite-file.js';
import { codeBlocks, DOCUMENTS, readDocument, ROOT } from './markdown.js';

const FIRST_AGENT = codeBlocks(readDocument('README.md')).filter(({ file }) => file);

/** The modules that go on with the first agent: a reader starts them in place of its `AppModule`. */
const modules = DOCUMENTS.flatMap((document) =>
  codeBlocks(readDocument(document)).flatMap(({ code }) => {
    const name = /^export class (\w+Module) /m.exec(code)?.[1];
    // Where other processes run the turns, Redis must be there.
    const goesOn = code.includes("from './app.module.js'") && !code.includes('dispatcher:');
    return name !== undefined && goesOn ? [{ document, name, code }] : [];
  }),
);

describe('the modules of the documents that go on with the first agent', () => {
  it('are those that are meant', () => {
    expect(modules.map(({ name }) => name).sort()).toEqual([
      'BothVersionsModule',
      'DurableModule',
      'ReplicaModule',
      'SkilledModule',
    ]);
  });

  it.each(modules)('$name of $document starts, and serves the agent', async ({ name, code }) => {
    const folder = `${ROOT}.snippets/${name}`;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { file, code: own } of FIRST_AGENT) writeFileSync(`${folder}/${file}`, own);
    // The servers of the documents by what is there without any; an agent works without its Redis.
    const here = code
      .replace(/'(sqlite|postgres):[^']+'/, `'${sqliteFile()}'`)
      .replace('redis://localhost', 'redis://127.0.0.1:1');
    writeFileSync(`${folder}/own.module.ts`, here);
    const exported = (await import(`${folder}/own.module.ts`)) as Record<string, new () => object>;
    const app = await NestFactory.create(exported[name]!, { logger: false, abortOnError: false });
    await app.listen(0, '127.0.0.1');
    try {
      const answer = await fetch(`${await app.getUrl()}/a2a/message:send`, {
        method: 'POST',
        headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/a2a+json' },
        body: JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'water' }] } }),
      });
      expect(await answer.json()).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    } finally {
      await app.close();
    }
  });
});

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks, readDocument, ROOT, type CodeBlock } from './markdown.js';

const run = promisify(execFile);
const readme = codeBlocks(readDocument('README.md'));
const blocks = readme.filter(({ section }) => section === 'Your first agent');
const [card, send, stream, asked, answered] = readme.filter(isCall).map(({ code }) => code);
const jsonRpc = codeBlocks(readDocument('docs/application.md'))
  .filter(isCall)
  .find(({ code }) => code.includes('"jsonrpc"'))!.code;

describe('the first agent of the README', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    const folder = `${ROOT}.snippets/first-agent`;
    mkdirSync(folder, { recursive: true });
    for (const { file, code } of blocks) if (file) writeFileSync(`${folder}/${file}`, code);
    const { AppModule } = await import(`${folder}/app.module.ts`);
    app = await NestFactory.create(AppModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  /** What a command of the README prints. */
  async function print(command = '', taskId = ''): Promise<string> {
    const here = command.replaceAll('http://localhost:3000', url).replaceAll('TASK_ID', taskId);
    return (await run('bash', ['-c', here])).stdout;
  }

  it('shows its card', async () => {
    expect(JSON.parse(await print(card))).toMatchObject({
      name: 'Phrase Agent',
      supportedInterfaces: [
        { url: `${url}/a2a`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
    });
  });

  it('answers as the README shows', async () => {
    const shown = blocks.find(({ language, code }) => language === 'json' && code.includes('"task"'))!.code;
    expect(withoutChance(JSON.parse(await print(send)))).toEqual(withoutChance(JSON.parse(shown)));
  });

  it('streams', async () => {
    const events = (await print(stream)).split('\n').filter((line) => line.startsWith('data: '));
    const kinds = events.flatMap((line) => Object.keys(JSON.parse(line.slice('data: '.length))));
    expect(kinds).toEqual(['task', 'statusUpdate', ...Array(3).fill('artifactUpdate'), 'statusUpdate']);
  });

  it('asks back', async () => {
    const { task } = JSON.parse(await print(asked));
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const { task: continued } = JSON.parse(await print(answered, task.id));
    expect(continued).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_COMPLETED' } });
  });

  it('answers over JSON-RPC too', async () => {
    expect(JSON.parse(await print(jsonRpc))).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
    });
  });
});

/** The same value with what differs from run to run made equal. */
function withoutChance(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, entry: unknown) => {
    if (key === 'timestamp') return 'sometime';
    return ['id', 'taskId', 'contextId', 'artifactId'].includes(key) ? 'some id' : entry;
  });
}

function isCall({ language, code }: CodeBlock): boolean {
  return language === 'sh' && code.startsWith('curl');
}

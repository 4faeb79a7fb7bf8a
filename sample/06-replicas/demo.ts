import assert from 'node:assert/strict';
import { Logger } from '@nestjs/common';
import { A2AClientFactory, type A2AStream } from 'nest-a2a';
import { Replica } from './replica.js';
import { RoundRobin } from './round-robin.js';
import { Servers } from './servers.js';

// Three processes of one agent, with one database and one Redis, behind a proxy that knows nothing of tasks.
const LINES = 12;
Logger.overrideLogger(['fatal', 'error', 'warn']);
const servers = await Servers.start();
const replicas = await Promise.all(['A', 'B', 'C'].map((name) => Replica.start(name, servers.env)));
const proxy = new RoundRobin(replicas.map(({ url }) => url));
try {
  const url = await proxy.listen();
  say('three replicas have started');
  const client = await new A2AClientFactory().connect(url);

  // A stream that breaks is taken up again behind the last event that came, wherever the proxy leads then.
  const options = { reconnect: { maxAttempts: 20, delay: 200, maxDelay: 500 } };
  const story = client.sendMessageStream(`a story of ${LINES} lines`, options);
  const readers: Promise<string[]>[] = [];
  const first = read('1', story, (line, lines) => {
    const id = story.task?.id;
    // Others listen too, at other replicas.
    if (lines === 2 && id !== undefined) {
      for (const who of ['2', '3']) readers.push(read(who, client.subscribeToTask({ id }, options)));
    }
    if (lines === 5) void killTeller(line);
  });
  const told = await first;
  assert.equal(readers.length, 2);
  for (const lines of await Promise.all(readers)) assert.deepEqual(lines, told);
  assert.deepEqual(
    told.map((line) => Number(/\d+/.exec(line)?.[0])),
    Array.from({ length: LINES }, (_, n) => n + 1),
  );
  assert.equal(new Set(told.map((line) => line.at(-1))).size, 2);
  say('one replica began the story and another ended it; every reader heard every line once');
} finally {
  proxy.close();
  await Promise.all(replicas.map((replica) => replica.end('SIGTERM')));
  await servers.stop();
}

async function killTeller(line: string): Promise<void> {
  const teller = replicas.find(({ name }) => line.endsWith(name));
  await teller?.end('SIGKILL');
  say(`kill -9: replica ${teller?.name}, which was telling, is gone; soon its lease is over`);
}

/** Prints the lines of a story as they come, and gives them. */
async function read(
  who: string,
  stream: A2AStream,
  onLine?: (line: string, lines: number) => void,
): Promise<string[]> {
  const lines: string[] = [];
  for await (const { task, artifactUpdate } of stream) {
    const artifacts = artifactUpdate ? [artifactUpdate.artifact] : (task?.artifacts ?? []);
    for (const { parts } of artifacts) {
      for (const part of parts) {
        const line = part.text ?? '';
        lines.push(line);
        console.log(`  reader ${who}  ${line}`);
        onLine?.(line, lines.length);
      }
    }
  }
  return lines;
}

function say(what: string): void {
  console.log(`\n— ${what} —`);
}

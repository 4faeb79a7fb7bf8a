// What the benches that start servers share: processes of the fixture agent, calls of them, medians.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

export const ROOT = join(import.meta.dirname, '../..');
export const FIXTURE = join(ROOT, 'dist-sample/99-fixture-agent/main.js');

/** Processes that end together. */
export class Processes {
  #children = [];

  /** Starts a program, which prints where it is once it can be called. */
  async start(program, env) {
    const stdio = ['ignore', 'pipe', 'inherit'];
    const child = spawn(process.execPath, [program], { env: { ...process.env, PORT: '0', ...env }, stdio });
    this.#children.push(child);
    for await (const line of createInterface(child.stdout)) return JSON.parse(line);
    throw new Error(`${program} ended before it could be called`);
  }

  async end() {
    for (const child of this.#children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, 'exit');
    }
  }
}

/** Calls a path of an agent, with a POST where there is a body; gives the answer as soon as its head is there. */
export function call(base, path, body, agent) {
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/a2a+json' };
  return new Promise((resolve, reject) => {
    const options = { method: body === undefined ? 'GET' : 'POST', headers, agent };
    const outgoing = request(`${base}/a2a/${path}`, options, (response) => {
      if (response.statusCode === 200) resolve(response);
      else text(response).then((said) => reject(new Error(`HTTP ${response.statusCode}: ${said}`)), reject);
    });
    outgoing.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The request that sends a text. */
export function sending(said, configuration) {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: said }] };
  return { message, ...(configuration && { configuration }) };
}

export function median(results) {
  return quantile(results, 0.5);
}

export function quantile(results, q) {
  const sorted = [...results].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

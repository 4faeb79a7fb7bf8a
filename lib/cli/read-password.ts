import { text as readText } from 'node:stream/consumers';
import type { CliEnvironment } from './cli-environment.js';

const ENTER = /[\r\n]/;
const END = '\u0004';
const INTERRUPT = '\u0003';
const BACKSPACE = /[\u0008\u007f]/;

/** A password, asked for on a terminal without showing it, else all of standard input but a last line end. */
export async function readPassword({ stdin, stderr }: CliEnvironment): Promise<string> {
  if (stdin.isTTY !== true || stdin.setRawMode === undefined) {
    return (await readText(stdin)).replace(/\r?\n$/, '');
  }
  stderr.write('Password: ');
  stdin.setRawMode(true);
  try {
    let typed = '';
    for await (const chunk of stdin.setEncoding('utf8') as AsyncIterable<string>) {
      for (const key of chunk) {
        if (ENTER.test(key) || key === END) return typed;
        // In this mode the terminal sends no signal for it.
        if (key === INTERRUPT) process.kill(process.pid, 'SIGINT');
        else typed = BACKSPACE.test(key) ? typed.replace(/.$/u, '') : typed + key;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stderr.write('\n');
  }
}

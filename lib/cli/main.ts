#!/usr/bin/env node
import { runCli } from './run-cli.js';

const { stdin, stdout, stderr, env } = process;
const stop = new AbortController();
// The first one ends the command in good order; at the second one the process dies as usual.
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
// Such as a reader that has left, or a full disk.
for (const output of [stdout, stderr]) output.on('error', (error) => stop.abort(error));

const exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stop.signal });
// What was written must be out, and connections that are kept open must not hold the process.
await new Promise<void>((written) => (stdout.destroyed ? written() : stdout.write('', () => written())));
process.exit(exitCode);

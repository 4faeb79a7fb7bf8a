#!/usr/bin/env node
import { runCli } from './run-cli.js';

const { stdin, stdout, stderr, env } = process;
const stop = new AbortController();
// The first one ends the command in good order; at the second one the process dies as usual.
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
// A reader such as `head` that has seen enough is no error.
stdout.on('error', () => stop.abort());

const exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env, signal: stop.signal });
// What was written must be out, and connections that are kept open must not hold the process.
await new Promise<void>((written) => (stdout.destroyed ? written() : stdout.write('', () => written())));
process.exit(exitCode);

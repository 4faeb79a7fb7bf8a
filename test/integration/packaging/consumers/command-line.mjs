// Runs the installed command line: `run ARGS [+ ARGS]…` as given, `talk` against an agent.
import { spawn } from 'node:child_process';

const [mode, ...words] = process.argv.slice(2);
console.log(JSON.stringify(mode === 'run' ? await runAll(split(words)) : await talk()));

async function runAll(commands) {
  const results = [];
  for (const args of commands) results.push(await run(args));
  return results;
}

async function talk() {
  const [common, core, a2a, { ExpressAdapter }, { makeModule }] = await Promise.all([
    import('@nestjs/common'),
    import('@nestjs/core'),
    import('nest-a2a'),
    import('@nestjs/platform-express'),
    import('./talk.cjs'),
  ]);
  const options = { logger: false };
  const app = await core.NestFactory.create(makeModule(common, a2a), new ExpressAdapter(), options);
  await app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${app.getHttpServer().address().port}`;
  try {
    const sent = await run(['send', url, 'Ada']);
    // The agent works on this one until it is stopped.
    return [sent, await run(['stream', url, 'forever'], (stderr) => stderr.includes('working'))];
  } finally {
    await app.close();
  }
}

function split(words) {
  const at = words.indexOf('+');
  return at === -1 ? [words] : [words.slice(0, at), ...split(words.slice(at + 1))];
}

function run(args, shallInterrupt = () => false) {
  return new Promise((resolve, reject) => {
    const child = spawn('node_modules/.bin/nest-a2a', args);
    const said = { stdout: '', stderr: '' };
    let isInterrupted = false;
    child.stdout.on('data', (chunk) => (said.stdout += chunk));
    child.stderr.on('data', (chunk) => {
      said.stderr += chunk;
      if (isInterrupted || !shallInterrupt(said.stderr)) return;
      isInterrupted = true;
      child.kill('SIGINT');
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...said }));
  });
}

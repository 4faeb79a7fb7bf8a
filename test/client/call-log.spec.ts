import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { builtProject } from '../support/built-project.js';
import { cardOf, startServer, TASK, type FakeServer } from './card-server.js';

const run = promisify(execFile);
/** A process that loads all of Nest takes its time on a busy machine. */
const PATIENCE = 180_000;

/** Where a program of its own prints the log of a call, of the places that it calls an agent from one after another. */
async function logged(places: Readonly<Record<string, string>>): Promise<string[]> {
  const agent: FakeServer = await startServer(({ path }) =>
    path.includes('/.well-known/') ? { body: cardOf(`${agent.origin}/a2a`) } : { body: TASK },
  );
  const program = `
    import { Logger, Module } from '@nestjs/common';
    import { NestFactory } from '@nestjs/core';
    import { A2AClientFactory, A2AClientModule, getA2AClientToken } from 'nest-a2a';
    const agents = { it: { url: ${JSON.stringify(agent.origin)} } };
    const alone = () => new A2AClientFactory().connect(agents.it.url);
    const inApplication = async (options) => {
      const module = { module: class Root {}, imports: [A2AClientModule.forRoot({ agents })] };
      return (await NestFactory.createApplicationContext(module, options)).get(getA2AClientToken('it'));
    };
    ${Object.entries(places)
      .map(([place, client]) => `console.log('\\n# ${place}'); await (await ${client}).getTask({ id: 't' });`)
      .join('\n')}
  `;
  const cwd = await builtProject();
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd });
  const said = stdout.split('\n# ').slice(1);
  expect(said.map((each) => each.split('\n')[0])).toEqual(Object.keys(places));
  return Object.keys(places).filter((_, index) => said[index]?.includes('getTask #'));
}

describe('O-81: the log of calls, at level debug', () => {
  it(
    'leaves the output of other programs alone, and is written in applications that do not say otherwise',
    async () => {
      const places = {
        'no application': 'alone()',
        application: 'inApplication({})',
        'application without debug': "inApplication({ logger: ['error', 'warn'] })",
        'application without a logger': 'inApplication({ logger: false })',
      };
      expect(await logged(places)).toEqual(['application']);
    },
    PATIENCE,
  );

  it(
    'is written by any program that asks for it',
    async () => {
      const places = {
        'no application': 'alone()',
        levels: "(Logger.overrideLogger(['debug']), alone())",
        logger: '(Logger.overrideLogger({ debug: (line) => console.log(line) }), alone())',
      };
      expect(await logged(places)).toEqual(['levels', 'logger']);
    },
    PATIENCE,
  );
});

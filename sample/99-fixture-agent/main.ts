import type { INestApplication, LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TaskStore } from 'nest-a2a';
import { AppModule } from './app.module.js';
import { seedBigTask, seedTasks } from './seed.js';
import { readSettings, type Settings } from './settings.js';

// The name of an agent whose module was given none.
const AGENT = 'default';

const settings = readSettings(process.env);
const app = await createApp(settings);
app.enableShutdownHooks();
await app.init();

const store = app.get(TaskStore, { strict: false });
await seedTasks(store, AGENT, settings.seededTasks);
if (settings.seedBigTask) await seedBigTask(store, AGENT);

await app.listen(settings.port, settings.host);
console.log(JSON.stringify({ ready: true, pid: process.pid, url: await app.getUrl() }));

async function createApp(chosen: Settings): Promise<INestApplication> {
  const module = await AppModule.with(chosen);
  // Standard output holds the ready line and nothing else.
  const logger: LogLevel[] = ['fatal', 'error'];
  if (chosen.adapter === 'express') return NestFactory.create(module, { logger });
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  return NestFactory.create(module, new FastifyAdapter(), { logger });
}

import fastifyCompress from '@fastify/compress';
import fastifyHelmet from '@fastify/helmet';
import { ValidationPipe, VersioningType, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import compression from 'compression';
import helmet from 'helmet';
import { A2AModule, type A2AModuleExtras, type A2AModuleOptions } from 'nest-a2a';
import { onTestFinished } from 'vitest';
import { ADAPTERS, type AdapterName } from '../support/index.js';
import { HostFilter, hostModule, KeyGuard, WrappingInterceptor } from './host-module.js';

/** What the host application has. */
export interface HostSetup {
  adapter: AdapterName;
  agent?: A2AModuleOptions & A2AModuleExtras;
  /** Everything that Nest lets an application set for all of its routes. */
  dressed: boolean;
}

/** Starts a host application, with or without an agent in it; gives its origin. */
export async function startHost({ adapter, agent, dressed }: HostSetup): Promise<string> {
  const root = hostModule(agent ? [A2AModule.forRoot(agent)] : []);
  const options = { logger: false, abortOnError: false, rawBody: dressed } as const;
  const app = await NestFactory.create(root, ADAPTERS[adapter](), options);
  onTestFinished(() => app.close());
  if (dressed) await dress(app, adapter);
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

async function dress(app: INestApplication, adapter: AdapterName): Promise<void> {
  app.setGlobalPrefix('api');
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  app.enableCors({ origin: 'https://app.example', exposedHeaders: ['X-Total'] });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  app.useGlobalInterceptors(new WrappingInterceptor());
  app.useGlobalFilters(new HostFilter(app.get(HttpAdapterHost)));
  app.useGlobalGuards(new KeyGuard());
  if (adapter === 'express') {
    app.use(helmet());
    app.use(compression());
    return;
  }
  const fastify = app as NestFastifyApplication;
  await fastify.register(fastifyHelmet);
  await fastify.register(fastifyCompress);
}

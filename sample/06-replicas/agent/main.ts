import { NestFactory } from '@nestjs/core';
import { AgentModule } from './agent.module.js';

const app = await NestFactory.create(AgentModule, { logger: ['fatal', 'error'] });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
// Whoever has started this process may want to know.
process.send?.(await app.getUrl());

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Express } from 'express';
import { onTestFinished } from 'vitest';
import { CollectedLog } from '../support/collected-log.js';

/** An Express application on a free port; closed when the test is over. */
export async function startExpress(): Promise<{ app: Express; url: string }> {
  // Express is there by way of Nest's adapter.
  const { default: express } = await import('express');
  Logger.overrideLogger(new CollectedLog());
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { app, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

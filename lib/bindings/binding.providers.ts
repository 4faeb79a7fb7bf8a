import type { Provider } from '@nestjs/common';
import { HttpHost } from '../http/index.js';
import { OpenStreams } from './open-streams.js';

/** What all bindings of an agent share. */
export const bindingProviders: readonly Provider[] = [HttpHost, OpenStreams];

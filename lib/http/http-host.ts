import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressPlatform } from './express.platform.js';
import { FastifyPlatform } from './fastify.platform.js';
import type { HttpPlatform } from './http-platform.js';

interface PlatformEntry {
  readonly platform: HttpPlatform;
  isFinished: boolean;
}

// One platform for each adapter: the agents of an application share their front.
const platforms = new WeakMap<AbstractHttpAdapter, PlatformEntry>();

/**
 * The HTTP platform of the application. An application has it when its providers are made; one made by
 * `@nestjs/testing` gets it later, and a context without HTTP never, and then nothing is served.
 */
@Injectable()
export class HttpHost implements OnModuleInit {
  #entry: PlatformEntry | undefined;
  #fault: unknown;
  #waiting: ((platform: HttpPlatform) => void)[] = [];

  constructor(@Inject(HttpAdapterHost) adapters: HttpAdapterHost) {
    if (adapters.httpAdapter as AbstractHttpAdapter | undefined) {
      this.#use(adapters.httpAdapter);
      return;
    }
    adapters.init$.subscribe(() => {
      try {
        if (adapters.httpAdapter as AbstractHttpAdapter | undefined) this.#use(adapters.httpAdapter);
      } catch (error) {
        // Thrown here it would end the process.
        this.#fault = error;
      }
    });
  }

  /** @throws Error before it is known */
  get platform(): HttpPlatform {
    if (!this.#entry) throw new Error('The HTTP adapter of the application is not known yet');
    return this.#entry.platform;
  }

  /** Calls `listener` as soon as the platform is known, before the routes of controllers are registered. */
  whenReady(listener: (platform: HttpPlatform) => void): void {
    if (this.#entry) listener(this.#entry.platform);
    else this.#waiting.push(listener);
  }

  /** Routes are registered by now. */
  onModuleInit(): void {
    if (this.#fault !== undefined) throw this.#fault as Error;
    if (!this.#entry || this.#entry.isFinished) return;
    this.#entry.isFinished = true;
    this.#entry.platform.finish();
  }

  #use(adapter: AbstractHttpAdapter): void {
    let entry = platforms.get(adapter);
    if (!entry) platforms.set(adapter, (entry = { platform: createPlatform(adapter), isFinished: false }));
    this.#entry = entry;
    for (const listener of this.#waiting.splice(0)) listener(entry.platform);
  }
}

function createPlatform(adapter: AbstractHttpAdapter): HttpPlatform {
  const type = adapter.getType();
  switch (type) {
    case 'express':
      return new ExpressPlatform(adapter);
    case 'fastify':
      return new FastifyPlatform(adapter);
    default:
      throw new Error(`A2AModule runs on the Express and the Fastify adapter, not on "${type}"`);
  }
}

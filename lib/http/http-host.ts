import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressPlatform } from './express.platform.js';
import { FastifyPlatform } from './fastify.platform.js';
import type { HttpPlatform } from './http-platform.js';

interface PlatformEntry {
  readonly platform: HttpPlatform;
  /** What all agents have to add before the platform is finished. */
  readonly waiting: ((adapter: AbstractHttpAdapter) => void)[];
  isFinished: boolean;
}

// One platform for each adapter: the agents of an application share their front.
const platforms = new WeakMap<AbstractHttpAdapter, PlatformEntry>();

/**
 * The HTTP platform of the application. An application has it when its providers are made; one made by
 * `@nestjs/testing` gets it later, and a context without HTTP never, and then nothing is served.
 */
@Injectable()
export class HttpHost implements OnModuleInit, OnModuleDestroy {
  #entry: PlatformEntry | undefined;
  #fault: unknown;
  #waiting: ((entry: PlatformEntry) => void)[] = [];

  constructor(@Inject(HttpAdapterHost) private readonly adapters: HttpAdapterHost) {
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
    this.#withEntry(({ platform }) => listener(platform));
  }

  /** Calls `listener` when the routes of controllers are registered: the time for others, before the platform's back. */
  whenRouted(listener: (adapter: AbstractHttpAdapter) => void): void {
    this.#withEntry(({ waiting }) => waiting.push(listener));
  }

  /** Routes are registered by now. The first agent finishes for all. */
  onModuleInit(): void {
    if (this.#fault !== undefined) throw this.#fault as Error;
    const entry = this.#entry;
    if (!entry || entry.isFinished) return;
    entry.isFinished = true;
    for (const listener of entry.waiting.splice(0)) listener(this.adapters.httpAdapter);
    entry.platform.finish();
  }

  onModuleDestroy(): void {
    if (this.#entry) this.#entry.platform.isClosing = true;
  }

  #withEntry(listener: (entry: PlatformEntry) => void): void {
    if (this.#entry) listener(this.#entry);
    else this.#waiting.push(listener);
  }

  #use(adapter: AbstractHttpAdapter): void {
    let entry = platforms.get(adapter);
    if (!entry) {
      entry = { platform: createPlatform(adapter), waiting: [], isFinished: false };
      platforms.set(adapter, entry);
    }
    this.#entry = entry;
    for (const listener of this.#waiting.splice(0)) listener(entry);
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

import type { AbstractHttpAdapter } from '@nestjs/core';
import { HttpAdapterHost } from '@nestjs/core';
import { describe, expect, it, vi } from 'vitest';
import { HttpHost } from './http-host.js';

const adapterOf = (type: string) => ({ getType: () => type, use: vi.fn() }) as unknown as AbstractHttpAdapter;

describe('HttpHost', () => {
  it('refuses an adapter that it does not know, at once or when the application starts', () => {
    const known = new HttpAdapterHost();
    known.httpAdapter = adapterOf('koa');
    const message = 'A2AModule runs on the Express and the Fastify adapter, not on "koa"';
    expect(() => new HttpHost(known)).toThrow(message);

    const later = new HttpAdapterHost();
    const host = new HttpHost(later);
    later.httpAdapter = adapterOf('koa');
    expect(() => host.onModuleInit()).toThrow(message);
  });

  it('tells about the platform when it is known, and shares it between agents', () => {
    const adapters = new HttpAdapterHost();
    const [one, two] = [new HttpHost(adapters), new HttpHost(adapters)];
    const listener = vi.fn();
    one.whenReady(listener);
    expect(() => one.platform).toThrow('not known yet');
    expect(listener).not.toHaveBeenCalled();
    const adapter = adapterOf('express');
    adapters.httpAdapter = adapter;
    expect(listener).toHaveBeenCalledWith(one.platform);
    expect(two.platform).toBe(one.platform);
    expect(adapter.use).toHaveBeenCalledTimes(1);
    one.onModuleInit();
    two.onModuleInit();
    expect(adapter.use).toHaveBeenCalledTimes(3);
  });

  it('serves nothing where there is no HTTP', () => {
    const host = new HttpHost(new HttpAdapterHost());
    host.whenReady(() => expect.unreachable());
    expect(() => host.onModuleInit()).not.toThrow();
  });
});

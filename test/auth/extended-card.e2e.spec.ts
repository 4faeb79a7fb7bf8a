import type { CanActivate } from '@nestjs/common';
import { DefaultRequestHandler, type AgentCard, type AgentCardInput, type CallContext } from 'nest-a2a';
import { expect, it, vi } from 'vitest';
import { describeHttp } from '../support/describe-http.js';
import { describeAgent } from '../support/index.js';
import { echo } from '../support/task-makers.js';
import { bearer, JWT, tokenOf } from './tokens.js';

const PUBLIC: AgentCardInput = { name: 'Public', description: 'For all', version: '1.0.0' };
const EXTENDED: AgentCardInput = {
  ...PUBLIC,
  name: 'Extended',
  // Placeholders, as in the public card.
  capabilities: { streaming: false, pushNotifications: true, extensions: [{ uri: 'urn:x' }] },
  supportedInterfaces: [{ url: 'https://placeholder', protocolBinding: 'GRPC', protocolVersion: '9' }],
  skills: [
    {
      id: 's',
      name: 'Secret',
      description: 'For those who may',
      securityRequirements: [{ schemes: { bearerAuth: { list: ['a'] } } }],
    },
  ],
};
const AUTH = [{ jwt: JWT, scopes: ['a2a:invoke'] }];

/** Lets everybody in. */
const open: CanActivate = { canActivate: () => true };

describeAgent('The extended card', (target) => {
  const token = async (user: string) => bearer(await tokenOf(user, { scope: 'a2a:invoke' }));

  it('S-105, S-107, S-138, S-38: has its own content, and all else is derived as for the public card', async () => {
    const agent = await target.start({ execute: echo, card: PUBLIC, extendedCard: EXTENDED, auth: AUTH });
    const card = await agent.card();
    expect(card.capabilities.extendedAgentCard).toBe(true);
    const extended = await agent
      .with(await token('user-a'))
      .call<AgentCard>('getExtendedAgentCard', {})
      .result();
    expect(extended).toEqual({
      ...card,
      name: 'Extended',
      capabilities: { ...card.capabilities, extensions: [{ uri: 'urn:x' }] },
      skills: [{ ...EXTENDED.skills![0], tags: [] }],
    });
    expect(extended.supportedInterfaces.map(({ url }) => url)).toEqual([
      `${agent.http.origin}/a2a`,
      `${agent.http.origin}/a2a`,
    ]);
    expect(extended.securityRequirements).toEqual([{ schemes: { bearerAuth: { list: ['a2a:invoke'] } } }]);
  });

  it('S-139: declared security is served unchanged', async () => {
    const securitySchemes = { mine: { mtlsSecurityScheme: { description: 'Ours' } } };
    for (const byHand of [
      { securitySchemes },
      { securityRequirements: [{ schemes: { mine: { list: [] } } }] },
    ]) {
      const agent = await target.start({
        execute: echo,
        card: { ...PUBLIC, ...byHand },
        extendedCard: { ...EXTENDED, ...byHand },
        auth: AUTH,
      });
      const extended = await agent
        .with(await token('user-a'))
        .call('getExtendedAgentCard', {})
        .result();
      for (const card of [await agent.card(), extended as AgentCard]) {
        const { securitySchemes: schemes, securityRequirements: requirements } = card;
        expect(
          JSON.parse(JSON.stringify({ securitySchemes: schemes, securityRequirements: requirements })),
        ).toEqual(byHand);
      }
    }
  });

  it('O-CARD-05, S-105, S-106: absent, not configured and not authenticated are three answers', async () => {
    const without = await target.start({ execute: echo, auth: AUTH });
    const user = await token('user-a');
    expect(await without.with(user).call('getExtendedAgentCard', {}).error()).toMatchObject({
      reason: 'UNSUPPORTED_OPERATION',
    });
    expect((await without.card()).capabilities.extendedAgentCard).toBe(false);
    const none = await target.start({ execute: echo, auth: AUTH, extendedCard: null });
    expect(await none.with(user).call('getExtendedAgentCard', {}).error()).toMatchObject({
      httpStatus: 400,
      code: -32007,
      reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    });
    expect((await none.card()).capabilities.extendedAgentCard).toBe(true);
    expect((await none.call('getExtendedAgentCard', {}).error()).httpStatus).toBe(401);
  });

  it('is made for each caller, and a function that fails is a 500 that is not remembered', async () => {
    const make = vi.fn(async ({ identity }: CallContext) => {
      if (identity === 'user-c') throw new Error('password=x');
      return identity === 'user-b' ? null : { ...EXTENDED, name: `For ${identity}` };
    });
    const agent = await target.start({ execute: echo, auth: AUTH, extendedCard: make });
    const of = async (user: string) =>
      agent.with(await token(user)).call<AgentCard>('getExtendedAgentCard', {});
    expect((await of('user-a')).result?.name).toBe('For user-a');
    expect((await of('user-b')).error?.reason).toBe('EXTENDED_AGENT_CARD_NOT_CONFIGURED');
    const { error } = await of('user-c');
    expect(error).toMatchObject({ httpStatus: 500, status: 'INTERNAL' });
    expect(JSON.stringify(error)).not.toContain('password');
    expect((await of('user-d')).result?.name).toBe('For user-d');
    expect(make).toHaveBeenCalledTimes(4);
  });

  it('an own handler may change it, or give its own', async () => {
    class Renaming extends DefaultRequestHandler {
      override async getExtendedAgentCard(
        ...call: Parameters<DefaultRequestHandler['getExtendedAgentCard']>
      ) {
        return { ...(await super.getExtendedAgentCard(...call)), name: 'Renamed' };
      }
    }
    class Own extends DefaultRequestHandler {
      override async getExtendedAgentCard() {
        return { ...PUBLIC, name: 'Own' } as AgentCard;
      }
    }
    class Broken extends DefaultRequestHandler {
      override async getExtendedAgentCard() {
        return { name: 7 } as never;
      }
    }
    const call = async (handler: typeof Renaming, options = {}) => {
      const agent = await target.start({ execute: echo, handler, guards: [open], ...options });
      const { result, error } = await agent.call<AgentCard>('getExtendedAgentCard', {});
      return {
        name: result?.name,
        url: result?.supportedInterfaces[0]?.url,
        base: `${agent.http.origin}/a2a`,
        error,
      };
    };
    const renamed = await call(Renaming, { extendedCard: EXTENDED });
    expect([renamed.name, renamed.url]).toEqual(['Renamed', renamed.base]);
    const own = await call(Own);
    expect([own.name, own.url]).toEqual(['Own', own.base]);
    expect((await call(Broken as typeof Renaming)).error).toMatchObject({
      httpStatus: 500,
      reason: 'INVALID_AGENT_RESPONSE',
    });
  });

  it('S-108: is refused at start where anybody may call, unless that is asked for', async () => {
    for (const extendedCard of [EXTENDED, null, () => EXTENDED]) {
      await expect(target.start({ execute: echo, extendedCard })).rejects.toThrow(
        'extendedCard needs "auth" or "guards": an extended card is for authenticated callers (§13.3)',
      );
    }
    const agent = await target.start({
      execute: echo,
      extendedCard: EXTENDED,
      unsafeExtendedCardWithoutAuth: true,
    });
    expect((await agent.call<AgentCard>('getExtendedAgentCard', {}).result()).name).toBe('Extended');
    const guarded = await target.start({ execute: echo, extendedCard: EXTENDED, guards: [open] });
    expect((await guarded.call<AgentCard>('getExtendedAgentCard', {}).result()).name).toBe('Extended');
  });

  it('names the tenant that it is asked for', async () => {
    const agent = await target.start({
      execute: echo,
      extendedCard: EXTENDED,
      guards: [open],
      tenants: ['acme'],
    });
    const card = await agent.call<AgentCard>('getExtendedAgentCard', { tenant: 'acme' }).result();
    expect(card.supportedInterfaces[0]).toMatchObject({ tenant: 'acme' });
    expect((await agent.call('getExtendedAgentCard', { tenant: 'globex' }).error()).httpStatus).toBe(400);
  });
});

describeHttp('The extended card over HTTP', (target) => {
  it('S-U6: is private, varies by caller, and is not sent again to who has it', async () => {
    const agent = await target.start({
      execute: echo,
      auth: [{ jwt: JWT }],
      extendedCard: ({ identity = '' }) => ({ ...EXTENDED, name: identity }),
      publicUrl: 'https://agent.example.com',
      cardMaxAge: 7,
      host: (app) => app.enableCors({ origin: ['https://app.example.com', 'https://b.example.com'] }),
    });
    const fetchCard = async (user: string, ifNoneMatch = '') =>
      agent.request('GET', '/a2a/extendedAgentCard', {
        headers: { ...bearer(await tokenOf(user)), ...(ifNoneMatch && { 'If-None-Match': ifNoneMatch }) },
      });
    const first = await fetchCard('user-a');
    expect(first.headers).toMatchObject({
      'cache-control': 'private, max-age=7',
      'content-type': 'application/a2a+json',
      vary: 'Origin, Authorization',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    expect(first.json.supportedInterfaces[0].url).toBe('https://agent.example.com/a2a');
    const again = await fetchCard('user-a', `"x", W/${first.headers.etag}`);
    expect([again.status, again.body, again.headers.etag, again.headers['cache-control']]).toEqual([
      304,
      '',
      first.headers.etag,
      'private, max-age=7',
    ]);
    const other = await fetchCard('user-b', first.headers.etag);
    expect([other.status, other.json.name]).toEqual([200, 'user-b']);
    const rpc = await agent.request('POST', '/a2a', {
      headers: {
        ...bearer(await tokenOf('user-a')),
        'Content-Type': 'application/json',
        'If-None-Match': '*',
      },
      body: { jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' },
    });
    expect([rpc.status, rpc.json.result.name, rpc.headers['cache-control']]).toEqual([
      200,
      'user-a',
      'private, max-age=7',
    ]);
  });

  it('is checked at start like the public one', async () => {
    await expect(
      target.start({ execute: echo, extendedCard: { name: 'x' } as never, guards: [open] }),
    ).rejects.toThrow('- extendedCard.description is required');
    await expect(target.start({ execute: echo, extendedCard: 7 as never })).rejects.toThrow(
      '- extendedCard must be a card, a function that gives one, or null',
    );
  });
});

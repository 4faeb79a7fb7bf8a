import { describe, expect, it, vi } from 'vitest';
import { A2AClientFactory, AgentCardResolver, type OAuth2ClientCredentials } from 'nest-a2a';
import { cardOf, startServer, TASK, type Answer, type FakeServer, type Reply } from './card-server.js';

const SECRET = 's3cret:ä&';
const factory = new A2AClientFactory();

interface Setup {
  readonly idp: FakeServer;
  readonly agent: FakeServer;
  readonly oauth2: OAuth2ClientCredentials;
}

function numberedTokens(): Answer {
  let issued = 0;
  return () => ({ body: { access_token: `t-${++issued}`, token_type: 'Bearer', expires_in: 3600 } });
}

/** An authorization server that gives t-1, t-2, …, and an agent that takes what `accepts` says. */
async function setUp({
  token = numberedTokens(),
  accepts = () => true,
}: { token?: Answer; accepts?: (authorization: string | undefined) => boolean } = {}): Promise<Setup> {
  const idp = await startServer(token);
  const agent: FakeServer = await startServer(({ path, headers }): Reply => {
    if (path.startsWith('/.well-known/')) return { body: cardOf(`${agent.origin}/a2a`) };
    return accepts(headers.authorization) ? { body: TASK } : { status: 401 };
  });
  const oauth2 = {
    tokenUrl: `${idp.origin}/token`,
    clientId: 'me',
    clientSecret: SECRET,
    scopes: ['a', 'b'],
  };
  return { idp, agent, oauth2 };
}

const sent = ({ requests }: FakeServer) => requests.map(({ headers }) => headers.authorization);

describe('OAuth2 client credentials', () => {
  it('S-31, S-32: one token is fetched while the client is built, and used for all', async () => {
    const { idp, agent, oauth2 } = await setUp();
    const client = await factory.connect(agent.origin, { auth: { oauth2 } });
    expect(idp.requests).toHaveLength(1);
    await Promise.all([client.getTask({ id: 't-1' }), client.getTask({ id: 't-1' })]);
    expect(idp.requests).toHaveLength(1);
    expect(sent(agent)).toEqual(Array(3).fill('Bearer t-1'));
    const [request] = idp.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/token' });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'a b',
    });
    // RFC 6749 2.3.1: both are form-encoded before they become Basic.
    expect(Buffer.from(String(request?.headers.authorization).slice(6), 'base64').toString()).toBe(
      'me:s3cret%3A%C3%A4%26',
    );
  });

  it('sends the secret in the body where it is told to, and more parameters', async () => {
    const { idp, agent, oauth2 } = await setUp();
    const auth = {
      oauth2: { ...oauth2, method: 'client_secret_post' as const, parameters: { audience: 'x' } },
    };
    await factory.connect(agent.origin, { auth });
    expect(Object.fromEntries(new URLSearchParams(idp.requests[0]?.body))).toMatchObject({
      client_id: 'me',
      client_secret: SECRET,
      audience: 'x',
    });
    expect(idp.requests[0]?.headers.authorization).toBeUndefined();
  });

  it.each<[string, Reply, string]>([
    [
      'a wrong secret',
      { status: 401, body: { error: 'invalid_client', error_description: `no ${SECRET}` } },
      'HTTP 401: invalid_client: no ***',
    ],
    ['a fault of its own', { status: 500, body: '<h1>Oops</h1>' }, 'HTTP 500: <h1>Oops</h1>'],
    ['no token', { body: { access_token: '', hint: SECRET } }, 'HTTP 200: no usable token'],
    ['another kind of token', { body: { access_token: 'x', token_type: 'mac' } }, 'of type "mac"'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9' } }, 'HTTP 302'],
  ])('S-32: %s fails the building, for a client and for a card', async (_name, answer, said) => {
    const { agent, oauth2 } = await setUp({ token: () => answer });
    const tries = [
      factory.connect(agent.origin, { auth: { oauth2 } }),
      factory.fromCard(cardOf(agent.origin), { auth: { oauth2 } }),
      factory.create({ url: agent.origin }, { auth: { oauth2 } }),
      new AgentCardResolver({ auth: { oauth2 } }).resolve(agent.origin),
    ];
    for (const attempt of tries) {
      const error = await attempt.catch((reason: unknown) => reason as Error);
      expect(error).toMatchObject({ name: 'InternalError' });
      expect(String(error)).toContain(said);
      expect(String(error)).not.toContain(SECRET);
      expect(String(error)).toMatch(/for the agent "(Fake Agent|(http:\/\/)?127\.0\.0\.1:\d+)"/);
    }
    expect(agent.requests).toEqual([]);
  });

  it('S-32: so does a token endpoint that is not there', async () => {
    const { agent, oauth2 } = await setUp();
    const auth = { oauth2: { ...oauth2, tokenUrl: 'http://127.0.0.1:9/token' } };
    await expect(factory.connect(agent.origin, { auth })).rejects.toMatchObject({
      name: 'InternalError',
      message: expect.stringContaining('http://127.0.0.1:9/token cannot be reached') as string,
    });
  });

  it('S-33: a token that cannot be renewed fails the call that needed it, and no other', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      let answer: Reply = { body: { access_token: 't-1', token_type: 'bearer', expires_in: 60 } };
      const { idp, agent, oauth2 } = await setUp({ token: () => answer });
      const client = await factory.connect(agent.origin, { auth: { oauth2 } });
      answer = { status: 503, body: { error: 'temporarily_unavailable' } };
      vi.setSystemTime(Date.now() + 53_000);
      await client.getTask({ id: 't-1' });
      vi.setSystemTime(Date.now() + 2_000);
      await expect(client.getTask({ id: 't-1' })).rejects.toMatchObject({ name: 'InternalError' });
      answer = { body: { access_token: 't-2', token_type: 'bearer', expires_in: 60 } };
      await client.getTask({ id: 't-1' });
      expect(sent(agent)).toEqual(['Bearer t-1', 'Bearer t-1', 'Bearer t-2']);
      expect(idp.requests.length).toBeGreaterThanOrEqual(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('O-AUTH-10: a token that the agent refuses is renewed once, for many calls at once too', async () => {
    const { idp, agent, oauth2 } = await setUp({
      accepts: (authorization) => authorization === 'Bearer t-2',
    });
    const client = await factory.connect(agent.origin, { auth: { oauth2 } });
    await Promise.all(Array.from({ length: 5 }, () => client.getTask({ id: 't-1' })));
    expect(idp.requests).toHaveLength(2);
  });

  it('O-AUTH-10: an agent that refuses every token is asked twice', async () => {
    const { idp, agent, oauth2 } = await setUp({ accepts: () => false });
    const client = await factory.connect(agent.origin, { auth: { oauth2 } });
    await expect(client.getTask({ id: 't-1' })).rejects.toMatchObject({ name: 'AuthenticationError' });
    expect(idp.requests).toHaveLength(2);
    expect(sent(agent).slice(1)).toEqual(['Bearer t-1', 'Bearer t-2']);
  });
});

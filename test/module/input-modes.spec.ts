import { afterEach, describe, expect, it } from 'vitest';
import { A2AModule, type A2AModuleOptions, type AgentCardInput } from '../../lib/index.js';
import { CARD, EchoAgent } from './agents.js';
import { ADAPTERS, startApp, stopApps } from './start-app.js';

afterEach(stopApps);

describe.each(ADAPTERS)('validateInputModes on %s', (adapter) => {
  const start = (options: Partial<A2AModuleOptions>) =>
    startApp({ imports: [A2AModule.forRoot({ card: CARD, executor: EchoAgent, ...options })] }, { adapter });
  const modes: AgentCardInput = {
    ...CARD,
    defaultInputModes: ['text/plain'],
    skills: [{ id: 's', name: 'S', description: 'd', inputModes: ['image/*'] }],
  };

  it('S-98: is off by default', async () => {
    const { send } = await start({ card: modes });
    expect((await send('', '/a2a', { parts: [{ text: 'x', mediaType: 'video/mp4' }] })).status).toBe(200);
  });

  it.each<[string, () => AgentCardInput]>([
    ['constant', () => modes],
    ['function', () => modes],
  ])('S-98, S-99, S-100: refuses what the card does not declare (%s)', async (kind, card) => {
    const { send } = await start({ card: kind === 'function' ? card : card(), validateInputModes: true });
    const status = async (part: object) => (await send('', '/a2a', { parts: [{ text: 'x' }, part] })).status;
    expect(await status({ text: 'x' })).toBe(200);
    expect(await status({ text: 'x', mediaType: 'Text/PLAIN; charset=utf-8' })).toBe(200);
    expect(await status({ url: 'https://x', mediaType: 'image/png' })).toBe(200);
    const refused = await send('', '/a2a', { parts: [{ text: 'x', mediaType: 'video/mp4' }] });
    expect(refused.status).toBe(400);
    expect(refused.json.error.details[0].reason).toBe('CONTENT_TYPE_NOT_SUPPORTED');
  });

  it('S-99: accepts everything if the card declares nothing', async () => {
    const { send } = await start({ validateInputModes: true });
    expect((await send('', '/a2a', { parts: [{ text: 'x', mediaType: 'video/mp4' }] })).status).toBe(200);
  });
});

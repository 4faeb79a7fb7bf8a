import { describe, expect, it } from 'vitest';
import { A2ARequestHandler } from '../server/a2a-request-handler.js';
import { DefaultRequestHandler } from '../server/default-request-handler.js';
import { handlerCapabilities } from './handler-capabilities.js';

const NOTHING = { streaming: false, pushNotifications: false, extendedAgentCard: false };

class Minimal extends A2ARequestHandler {
  override sendMessage = async () => ({
    message: { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ text: '' }] },
  });
}

describe('handlerCapabilities', () => {
  it('S-58: follows what a class overrides', () => {
    const handler = Object.create(DefaultRequestHandler.prototype) as DefaultRequestHandler;
    expect(handlerCapabilities(handler)).toEqual({
      capabilities: { ...NOTHING, streaming: true, pushNotifications: true },
      faults: [],
    });
  });

  it('counts methods that only the instance has', () => {
    const handler = Object.assign(new Minimal(), { getExtendedAgentCard: async () => ({}) });
    expect(handlerCapabilities(handler as never)).toEqual({
      capabilities: { ...NOTHING, extendedAgentCard: true },
      faults: [],
    });
  });

  it('lets a group be withheld and never be promised', () => {
    const handler = Object.create(DefaultRequestHandler.prototype) as DefaultRequestHandler;
    const withheld = { streaming: false, pushNotifications: false };
    expect(handlerCapabilities(handler, withheld).capabilities).toEqual(NOTHING);
    const promised = { streaming: true, pushNotifications: true };
    expect(handlerCapabilities(new Minimal(), promised).capabilities).toEqual(NOTHING);
  });

  it('S-54, S-56: names what is missing', () => {
    class Half extends A2ARequestHandler {
      override subscribeToTask = () => Promise.reject(new Error());
    }
    expect(
      handlerCapabilities(new Half(), { streaming: false }).faults.map(({ description }) => description),
    ).toEqual([
      'does not override sendMessage, which every agent must answer',
      'overrides only a part of streaming; missing: sendStreamingMessage',
    ]);
  });
});

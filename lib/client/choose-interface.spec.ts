import { describe, expect, it } from 'vitest';
import { chooseInterface, NoCompatibleInterfaceError, type InterfaceFilter } from './choose-interface.js';

const offer = (protocolBinding: string, protocolVersion = '1.0', more: object = {}) => ({
  url: `https://h.example/${protocolBinding}/${protocolVersion}/`,
  protocolBinding,
  protocolVersion,
  ...more,
});

const choose = (offers: ReturnType<typeof offer>[], filter?: InterfaceFilter) =>
  chooseInterface({ supportedInterfaces: offers }, filter);

describe('the choice of an interface', () => {
  it('O-6, O-7, O-8, O-DISC-03: is the first in the order of the card that the client speaks, as it stands there', () => {
    const second = offer('http+json', '1.0', { tenant: 'acme' });
    const chosen = choose([offer('GRPC'), second, offer('JSONRPC'), offer('JSONRPC', '0.3')]);
    expect(chosen).toEqual({ agentInterface: second, binding: 'HTTP+JSON', version: '1.0' });
    expect(chosen.agentInterface.url).toBe('https://h.example/http+json/1.0/');
  });

  it.each(['1.0', '1', '1.0.3', '1.1', '1.12.3'])('O-6: version %s is one that it speaks', (version) => {
    expect(choose([offer('JSONRPC', version)]).version).toBe('1.0');
  });

  it.each(['0.2', '0.2.6', '0.30', '2.0', '10.0', 'v1', '', '1.x'])('O-7: version %j is not', (version) => {
    expect(() => choose([offer('JSONRPC', version)])).toThrow(NoCompatibleInterfaceError);
  });

  it.each(['0.3', '0.3.0', ' 0.3.7'])('O-6, O-9: version %j is one that it speaks as 0.3', (version) => {
    expect(choose([offer('HTTP+JSON', version)]).version).toBe('0.3');
  });

  it('O-6, O-V03-08: 0.3 is spoken where there is no interface of 1.x, and its JSON-RPC first', () => {
    const old = [offer('GRPC', '0.3'), offer('HTTP+JSON', '0.3.0'), offer('JSONRPC', '0.3.0')];
    expect(choose([...old, offer('JSONRPC', '1.0')])).toMatchObject({ binding: 'JSONRPC', version: '1.0' });
    expect(choose([...old, offer('GRPC', '1.0')])).toEqual({
      agentInterface: old[2],
      binding: 'JSONRPC',
      version: '0.3',
    });
    expect(choose(old.slice(0, 2))).toMatchObject({ binding: 'HTTP+JSON', version: '0.3' });
    expect(choose(old, { bindings: ['HTTP+JSON'] })).toMatchObject({ binding: 'HTTP+JSON', version: '0.3' });
  });

  it('O-10, O-V03-08: a version that is pinned is spoken, or none', () => {
    const both = [offer('JSONRPC', '1.0'), offer('JSONRPC', '0.3')];
    expect(choose(both, { protocolVersion: '0.3' }).version).toBe('0.3');
    expect(() => choose(both.slice(1), { protocolVersion: '1.0' })).toThrow(
      'it has JSONRPC 0.3; needed is HTTP+JSON or JSONRPC 1.x',
    );
    expect(() => choose(both.slice(0, 1), { protocolVersion: '0.3' })).toThrow(
      'it has JSONRPC 1.0; needed is HTTP+JSON or JSONRPC 0.3',
    );
  });

  it('O-10: bindings and versions can be filtered, and the order of the card still decides', () => {
    const offers = [offer('HTTP+JSON'), offer('JSONRPC')];
    expect(choose(offers, { bindings: ['JSONRPC'] }).binding).toBe('JSONRPC');
    expect(choose(offers, { bindings: ['JSONRPC', 'HTTP+JSON'], protocolVersion: '1.0' }).binding).toBe(
      'HTTP+JSON',
    );
    expect(() => choose([offer('JSONRPC')], { bindings: ['HTTP+JSON'] })).toThrow(NoCompatibleInterfaceError);
  });

  it('S-2, O-7, O-DISC-03: says what there is and what is needed where nothing fits', () => {
    expect(() => choose([offer('GRPC'), offer('JSONRPC', '0.2')])).toThrow(
      'The agent card lists no interface that this client can use: it has GRPC 1.0, JSONRPC 0.2; needed is HTTP+JSON or JSONRPC 1.x or 0.3',
    );
    expect(() => choose([])).toThrow(
      'The agent card lists no interface; needed is HTTP+JSON or JSONRPC 1.x or 0.3',
    );
  });
});

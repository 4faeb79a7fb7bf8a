import { describe, expect, it } from 'vitest';
import { isA2AError } from '../../protocol/index.js';
import { readEnvelope, requestIdOf } from './envelope.js';

const request = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } };

function codeOf(body: unknown): number | undefined {
  try {
    readEnvelope(body);
    return undefined;
  } catch (error) {
    return isA2AError(error) ? error.code : NaN;
  }
}

describe('envelope of a JSON-RPC request', () => {
  it('gives the operation and its parameters', () => {
    expect(readEnvelope(request)).toEqual({ operation: 'getTask', params: { id: 't' } });
    expect(readEnvelope({ ...request, params: undefined }).params).toEqual({});
    expect(readEnvelope({ ...request, params: null }).params).toEqual({});
  });

  it.each([['x'], [[1]], [7]])('leaves it to the reader of the request that params are %j', (params) => {
    expect(readEnvelope({ ...request, params }).params).toEqual(params);
  });

  it.each([1, 0, -3, 'x', '', null])('O-ERR-07: the id %j is kept by value and type', (id) => {
    expect(codeOf({ ...request, id })).toBeUndefined();
    expect(requestIdOf({ ...request, id })).toBe(id);
  });

  it.each([true, {}, [], 1.5, 1e300, Number.MAX_SAFE_INTEGER + 1])(
    'O-ERR-07: the id %j is refused and answered as null',
    (id) => {
      expect(codeOf({ ...request, id })).toBe(-32600);
      expect(requestIdOf({ ...request, id })).toBeNull();
    },
  );

  it('O-ERR-07: a request without an id is refused, since no method can be a notification', () => {
    const { id: _id, ...notification } = request;
    expect(codeOf(notification)).toBe(-32600);
    expect(requestIdOf(notification)).toBeNull();
  });

  it.each([
    ['no body', undefined, -32700],
    ['a string', 'x', -32600],
    ['null', null, -32600],
    ['a batch', [request], -32600],
    ['an empty batch', [], -32600],
    ['version 1.0', { ...request, jsonrpc: '1.0' }, -32600],
    ['no version', { ...request, jsonrpc: undefined }, -32600],
    ['a version that is a number', { ...request, jsonrpc: 2 }, -32600],
    ['no method', { ...request, method: undefined }, -32600],
    ['a method that is a number', { ...request, method: 1 }, -32600],
    ['an unknown method', { ...request, method: 'Nope' }, -32601],
    ['a name of the prototype as method', { ...request, method: 'constructor' }, -32601],
    ['a method of 0.3', { ...request, method: 'message/send' }, -32009],
  ])('O-ERR-09, O-ERR-04: %s is refused', (_what, body, code) => {
    expect(codeOf(body)).toBe(code);
  });
});

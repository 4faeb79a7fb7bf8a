import {
  InvalidRequestError,
  JSONParseError,
  MethodNotFoundError,
  VersionNotSupportedError,
  JSON_RPC_METHODS,
  JSON_RPC_METHODS_0_3,
  operationOfMethod03,
  type Operation03,
  type OperationName,
} from '../../protocol/index.js';

/** What a request is answered under; a whole number, so that it comes back as it was sent. */
export type RequestId = string | number | null;

/** A request object whose envelope is in order (§9.3). */
export interface Envelope {
  readonly operation: OperationName;
  /** As they were sent: what is wrong with them is told after version and capability, as of any request message. */
  readonly params: unknown;
  /** What 0.3 makes of it, where the method is one of 0.3. */
  readonly old?: Operation03;
}

/** The id of a body, if it has one that can be answered under; else `null`. */
export function requestIdOf(body: unknown): RequestId {
  const { id } = isObject(body) ? body : { id: null };
  return isRequestId(id) ? id : null;
}

/**
 * Reads the envelope of a request.
 *
 * @param served the versions of the protocol whose methods are there
 * @throws JSONParseError, InvalidRequestError, MethodNotFoundError, VersionNotSupportedError
 */
export function readEnvelope(body: unknown, served: readonly string[] = ['1.0']): Envelope {
  if (body === undefined) throw new JSONParseError('The body is empty');
  if (Array.isArray(body)) throw new InvalidRequestError('Batches are not supported');
  if (!isObject(body)) throw new InvalidRequestError('The body is not a request object');
  const { jsonrpc, method, params } = body;
  if (!('id' in body)) throw new InvalidRequestError('"id" is missing: no method can be a notification');
  if (!isRequestId(body.id)) throw new InvalidRequestError('"id" must be a string, a whole number or null');
  if (jsonrpc !== '2.0') throw new InvalidRequestError('"jsonrpc" must be "2.0"');
  if (typeof method !== 'string') throw new InvalidRequestError('"method" must be a string');
  const operation = JSON_RPC_METHODS.get(method);
  const isOld = operation === undefined && JSON_RPC_METHODS_0_3.has(method) && served.includes('0.3');
  if (operation === undefined && !isOld) throw unknownMethod(method);
  const given = params ?? {};
  if (operation !== undefined) return { operation, params: given };
  const old = operationOfMethod03(method, isObject(given) ? given : {});
  if (old === undefined) throw unknownMethod(method);
  return { operation: old.name, params: given, old };
}

/** The version in whose form an error is answered: that of the method, else the one that is asked for. */
export function errorVersion(body: unknown, asked: string | undefined, served: readonly string[]): string {
  if (!served.includes('0.3')) return '1.0';
  const method = isObject(body) ? body.method : undefined;
  if (JSON_RPC_METHODS.has(method as string)) return '1.0';
  if (JSON_RPC_METHODS_0_3.has(method as string)) return '0.3';
  return /^\s*1\./.test(asked ?? '') ? '1.0' : '0.3';
}

function unknownMethod(method: string): Error {
  const name = JSON.stringify(method.slice(0, 100));
  if (!JSON_RPC_METHODS_0_3.has(method)) return new MethodNotFoundError(`Method not found: ${name}`);
  return new VersionNotSupportedError(
    `${name} is a method of protocol version 0.3, which is not served here; served: 1.0`,
    { metadata: { supportedVersions: '1.0' } },
  );
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || id === null || Number.isSafeInteger(id);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

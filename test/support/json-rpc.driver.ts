import { type OperationName } from '../../lib/protocol/index.js';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { BindingDriver, Headers } from './binding.driver.js';
import { EventStream, type Frame, type FrameMeaning } from './event-stream.js';
import type { HttpClient } from './http-client.js';
import { failureDetails, type Failure, type Outcome } from './outcome.js';

/** HTTP status and canonical status that go with a code (§5.4); written apart from the library. */
export const STATUSES: Record<number, readonly [httpStatus: number, status: string]> = {
  [-32001]: [404, 'NOT_FOUND'],
  [-32002]: [400, 'FAILED_PRECONDITION'],
  [-32003]: [400, 'FAILED_PRECONDITION'],
  [-32004]: [400, 'FAILED_PRECONDITION'],
  [-32005]: [400, 'INVALID_ARGUMENT'],
  [-32006]: [500, 'INTERNAL'],
  [-32007]: [400, 'FAILED_PRECONDITION'],
  [-32008]: [400, 'FAILED_PRECONDITION'],
  [-32009]: [400, 'FAILED_PRECONDITION'],
  [-32600]: [400, 'INVALID_ARGUMENT'],
  [-32601]: [404, 'NOT_FOUND'],
  [-32602]: [400, 'INVALID_ARGUMENT'],
  [-32603]: [500, 'INTERNAL'],
  [-32700]: [400, 'INVALID_ARGUMENT'],
};

let lastId = 0;

/** Calls operations over JSON-RPC (§9). */
export class JsonRpcDriver implements BindingDriver {
  constructor(
    private readonly http: HttpClient,
    private readonly base: string,
  ) {}

  async call(operation: OperationName, request: object, headers: Headers): Promise<Outcome<unknown>> {
    const id = ++lastId;
    return answerOf(await this.#send(id, operation, request, headers), id);
  }

  async open(operation: OperationName, request: object, headers: Headers): Promise<Outcome<EventStream>> {
    const id = ++lastId;
    const response = await this.#send(id, operation, request, headers);
    if (!(response.headers['content-type'] ?? '').startsWith('text/event-stream')) {
      const { error } = await answerOf(response, id);
      if (!error) throw new Error('A stream was asked for, and a single answer came');
      return { error };
    }
    return { result: new EventStream(response, (frame) => meaningOf(frame, id)) };
  }

  #send(id: number, operation: OperationName, params: object, headers: Headers): Promise<IncomingMessage> {
    const method = operation.charAt(0).toUpperCase() + operation.slice(1);
    return this.http.open('POST', this.base, {
      headers: { 'Content-Type': 'application/json', ...headers },
      body: { jsonrpc: '2.0', id, method, params },
    });
  }
}

async function answerOf(response: IncomingMessage, id: number): Promise<Outcome<unknown>> {
  const body = JSON.parse(await text(response));
  const { statusCode = 0, headers } = response;
  if (statusCode === 200) {
    if (headers['content-type'] !== 'application/json') throw new Error(`Type: ${headers['content-type']}`);
    checkEnvelope(body, id);
    return body.error ? { error: failureOf(body.error, headers) } : { result: body.result };
  }
  // What HTTP itself stands for is a google.rpc.Status with that status.
  const { code, status, message, details = [] } = body.error;
  if (code !== statusCode) throw new Error(`HTTP ${statusCode}, but code ${code}`);
  return {
    error: { httpStatus: code, code: undefined, status, message, headers, ...failureDetails(details) },
  };
}

function meaningOf({ event, data = '' }: Frame, id: number): FrameMeaning {
  if (event !== undefined) throw new Error(`Unknown kind of event in a stream: ${event}`);
  const body = JSON.parse(data);
  checkEnvelope(body, id);
  return body.error ? { failure: failureOf(body.error) } : { event: body.result };
}

function checkEnvelope(body: any, id: number): void {
  const keys = Object.keys(body).join();
  // The id of a body that could not be read is not known.
  const isKnown = body.id === id || (body.id === null && body.error !== undefined);
  if (body.jsonrpc !== '2.0' || !isKnown || !/^jsonrpc,id,(result|error)$/.test(keys)) {
    throw new Error(`No response to ${id}: ${JSON.stringify(body).slice(0, 500)}`);
  }
}

function failureOf({ code, message, data }: any, headers: Failure['headers'] = {}): Failure {
  if (!Array.isArray(data)) throw new Error(`error.data is no array: ${JSON.stringify(data)}`);
  const [httpStatus, status] = STATUSES[code] ?? [NaN, `unknown code ${code}`];
  return { httpStatus, code, status, message, headers, ...failureDetails(data) };
}

import { errorAnswer, JSON_MEDIA_TYPE, reportError, type HttpRoute } from '../../http/index.js';
import { decode, OPERATIONS } from '../../protocol/index.js';
import { HttpBinding } from '../http-binding.js';
import { readEnvelope, requestIdOf } from './envelope.js';
import { failure, successHead } from './json-rpc.answer.js';
import { JsonRpcFrames } from './json-rpc.frames.js';

const JSON_HEADERS = { 'Content-Type': JSON_MEDIA_TYPE };

/** Carries JSON-RPC requests to the handler of one agent, and its answers back (§9). */
export class JsonRpcBinding extends HttpBinding {
  override async answer(route: HttpRoute, request: unknown, response: unknown): Promise<void> {
    const call = this.callOf(route, request);
    if (call.bodyFault) throw call.bodyFault;
    const envelope = readEnvelope(call.body);
    const operation = OPERATIONS[envelope.operation];
    const admitted = await this.admit(operation, call, request, () =>
      decode(operation.request, envelope.params),
    );
    const id = requestIdOf(call.body);
    if (operation.stream) {
      await this.stream(admitted, response, new JsonRpcFrames(id));
      return;
    }
    const card =
      operation.name === 'getExtendedAgentCard' && (await this.extendedCard(admitted, request, response));
    // Only a GET can be asked whether it has changed.
    const headers = card ? { ...JSON_HEADERS, ...card.headers } : JSON_HEADERS;
    const result = card ? card.json : await this.resultOf(admitted);
    this.sendResult(admitted, response, headers, `${successHead(id)}${result}}`);
  }

  /** Errors that HTTP itself stands for keep their status; all others are an answer like any other. */
  override refuse(error: unknown, request: unknown, response: unknown): void {
    const known = reportError(error);
    if (known.code === undefined) {
      this.sendError(errorAnswer(known), response);
      return;
    }
    const body = failure(requestIdOf(this.platform.callOf(request).body), known);
    this.platform.send(response, { status: 200, headers: JSON_HEADERS, body });
  }
}

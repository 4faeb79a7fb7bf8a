import {
  errorAnswer,
  JSON_MEDIA_TYPE,
  reportError,
  type HttpCall,
  type HttpRoute,
} from '../../http/index.js';
import { decode, OPERATIONS } from '../../protocol/index.js';
import { dialectOf, dialectOf03 } from '../dialect.js';
import { HttpBinding } from '../http-binding.js';
import { withQueryTenant } from '../query-tenant.js';
import { askedVersion, VERSION_PARAMETER } from '../service-parameters.js';
import { errorVersion, readEnvelope, type Envelope, requestIdOf } from './envelope.js';
import { failure, successHead } from './json-rpc.answer.js';
import { JsonRpcFrames } from './json-rpc.frames.js';

const JSON_HEADERS = { 'Content-Type': JSON_MEDIA_TYPE };

/** Carries JSON-RPC requests to the handler of one agent, and its answers back (§9). */
export class JsonRpcBinding extends HttpBinding {
  override async answer(route: HttpRoute, request: unknown, response: unknown): Promise<void> {
    const call = this.callOf(route, request);
    if (call.bodyFault) throw call.bodyFault;
    const envelope = readEnvelope(call.body, this.agent.versions);
    const { old } = envelope;
    const dialect = old ? dialectOf03(old, 'json') : dialectOf(envelope.operation);
    const admitted = await this.admit(dialect, call, request, response, () => requestOf(envelope, call));
    const { operation } = admitted;
    const id = requestIdOf(call.body);
    if (operation.stream) {
      await this.stream(admitted, response, new JsonRpcFrames(id, dialect));
      return;
    }
    const card =
      operation.name === 'getExtendedAgentCard' && (await this.extendedCard(admitted, request, response));
    // Only a GET can be asked whether it has changed.
    const headers = card ? { ...JSON_HEADERS, ...card.headers } : JSON_HEADERS;
    const result = card ? card.json : await this.resultOf(admitted, dialect);
    this.sendResult(response, headers, `${successHead(id)}${result}}`);
  }

  /** Errors that HTTP itself stands for keep their status; all others are an answer like any other. */
  override refuse(error: unknown, request: unknown, response: unknown): void {
    const known = reportError(error);
    if (known.code === undefined) {
      this.sendError(errorAnswer(known), response);
      return;
    }
    const { body: given, query } = this.platform.callOf(request);
    const headers = this.platform.rawRequest(request).headers as Record<string, string>;
    const version = errorVersion(given, askedVersion(headers[VERSION_PARAMETER], query), this.agent.versions);
    const body = failure(requestIdOf(given), known, version);
    this.platform.send(response, { status: 200, headers: JSON_HEADERS, body });
  }
}

function requestOf({ operation, params, old }: Envelope, call: HttpCall): object {
  if (!old) return withQueryTenant(decode(OPERATIONS[operation].request, params), call);
  // Protocol 0.3 knows no tenants.
  return old.requestFrom03(decode(old.params.json, params), 'json');
}

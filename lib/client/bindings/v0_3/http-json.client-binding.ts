import {
  HTTP_JSON_ROUTES_0_3,
  InvalidParamsError,
  type A2AError,
  type HttpJsonRoute,
  type OperationName,
  type TaskPushNotificationConfig,
} from '../../../protocol/index.js';
import type { CallOptions } from '../../client-binding.js';
import { restError03 } from '../../wire-errors/rest-error-0-3.js';
import type { ErrorHead } from '../../wire-errors/wire-error.js';
import { HttpJsonClientBinding, JSON_MEDIA_TYPE } from '../http-json.client-binding.js';
import type { OutgoingCall, RequestFields } from '../outgoing-call.js';
import { decodeAnswer03, withHistoryAsked, worded } from './wording.js';

/** Carries operations over HTTP+JSON as agents of 0.3 speak it (0.3 §3.2.3): their proto as JSON, below `/v1`. */
export class HttpJson03ClientBinding extends HttpJsonClientBinding {
  protected override readonly version = '0.3';
  protected override readonly accept = JSON_MEDIA_TYPE;
  protected override readonly routes: readonly HttpJsonRoute[] = HTTP_JSON_ROUTES_0_3;
  protected override contentType = JSON_MEDIA_TYPE;

  /** How this agent takes webhooks: the proto says that the config is the body, but most read the whole request. */
  #takesBareConfigs = false;

  override async call(operation: OperationName, request: object, options: CallOptions): Promise<object> {
    const attempt = () => super.call(operation, request, options);
    if (operation !== 'createTaskPushNotificationConfig') return withHistoryAsked(request, await attempt());
    const before = this.#takesBareConfigs;
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof InvalidParamsError)) throw error;
      // What was refused has done nothing, so that it may come a second time.
      this.#takesBareConfigs = !before;
      return await attempt().catch(() => {
        this.#takesBareConfigs = before;
        throw error;
      });
    }
  }

  protected override fields(operation: OperationName, request: RequestFields): RequestFields {
    worded(operation);
    // It has neither tenants nor pages.
    const { tenant: _tenant, pageSize: _size, pageToken: _token, ...fields } = request;
    return fields;
  }

  protected override body(operation: OperationName, request: RequestFields): object {
    const body = worded(operation).paramsTo03(request, 'rest');
    if (operation !== 'createTaskPushNotificationConfig' || this.#takesBareConfigs) return body;
    const { taskId, id = '' } = request as Partial<TaskPushNotificationConfig>;
    return { parent: `tasks/${taskId}`, configId: id, config: body };
  }

  protected override failure(value: unknown, call: OutgoingCall, head?: ErrorHead): A2AError | undefined {
    return restError03(value, call, head) ?? super.failure(value, call, head);
  }

  protected override decode(operation: OperationName, result: unknown): object {
    return decodeAnswer03(operation, result, 'rest');
  }
}

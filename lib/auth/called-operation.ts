import type { ExecutionContext } from '@nestjs/common';
import {
  HTTP_JSON_ROUTES,
  HTTP_JSON_ROUTES_0_3,
  JSON_RPC_METHODS,
  JSON_RPC_METHODS_0_3,
} from '../protocol/index.js';

const ROUTES: ReadonlyMap<string, string> = new Map(
  [...HTTP_JSON_ROUTES, ...HTTP_JSON_ROUTES_0_3].map(({ name, operation }) => [name, operation]),
);

/** What a request calls, for audit: an operation, or a method of a controller of the application. */
export function calledOperation(context: ExecutionContext): string {
  const handler = context.getHandler().name;
  const controller = context.getClass().name;
  if (controller !== 'BindingController') return `${controller}.${handler}`;
  const { body } = context.switchToHttp().getRequest<{ body?: { method?: unknown } | null }>();
  const method = typeof body === 'object' ? body?.method : undefined;
  return ROUTES.get(handler) ?? (typeof method === 'string' ? operationOf(method) : undefined) ?? handler;
}

function operationOf(method: string): string | undefined {
  return JSON_RPC_METHODS.get(method) ?? JSON_RPC_METHODS_0_3.get(method);
}

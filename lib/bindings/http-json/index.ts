import { HTTP_JSON_ROUTES, HTTP_JSON_ROUTES_0_3 } from '../../protocol/index.js';
import type { BindingType } from '../binding.controller.js';
import { errorAnswer03, HttpJson03Binding } from './http-json-03.binding.js';
import { HttpJsonBinding } from './http-json.binding.js';

/** The HTTP+JSON binding (§11). */
export const HTTP_JSON: BindingType = { binding: HttpJsonBinding, routes: HTTP_JSON_ROUTES };

/** The HTTP+JSON binding of protocol 0.3, which knows no tenants. */
export const HTTP_JSON_03: BindingType = {
  binding: HttpJson03Binding,
  routes: HTTP_JSON_ROUTES_0_3.map((route) => ({ ...route, hasTenant: false })),
  segment: { name: 'v1', answerTo: errorAnswer03 },
};

import type { BindingType } from '../binding.controller.js';
import { HttpJsonBinding } from './http-json.binding.js';
import { ROUTES } from './routes.js';

/** The HTTP+JSON binding (§11). */
export const HTTP_JSON: BindingType = { binding: HttpJsonBinding, routes: ROUTES };

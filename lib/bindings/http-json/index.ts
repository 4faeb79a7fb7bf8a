import { HTTP_JSON_ROUTES } from '../../protocol/index.js';
import type { BindingType } from '../binding.controller.js';
import { HttpJsonBinding } from './http-json.binding.js';

/** The HTTP+JSON binding (§11). */
export const HTTP_JSON: BindingType = { binding: HttpJsonBinding, routes: HTTP_JSON_ROUTES };

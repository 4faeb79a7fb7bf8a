import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/**
 * The path under which Nest serves a controller: with the global prefix, unless the application excludes it from
 * the prefix, which is told by one of its routes. Final only once the application starts.
 */
export function basePath(config: ApplicationConfig, path: string, route = '/message:send'): string {
  const prefix = config.getGlobalPrefix().replace(/^\/+|\/+$/g, '');
  return prefix === '' || isExcluded(config, `/${path}${route}`) ? `/${path}` : `/${prefix}/${path}`;
}

// -1 means all methods too.
const METHODS: readonly number[] = [RequestMethod.POST, RequestMethod.ALL, -1];

function isExcluded(config: ApplicationConfig, path: string): boolean {
  const { exclude = [] } = config.getGlobalPrefixOptions();
  return exclude.some(
    ({ pathRegex, requestMethod }) => METHODS.includes(requestMethod) && pathRegex.test(path),
  );
}

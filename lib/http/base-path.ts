import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/**
 * The path under which Nest serves a controller: with the global prefix, unless the application excludes it from
 * the prefix. Final only once the application starts.
 */
export function basePath(config: ApplicationConfig, path: string): string {
  const prefix = config.getGlobalPrefix().replace(/^\/+|\/+$/g, '');
  return prefix === '' || isExcluded(config, `/${path}/message:send`) ? `/${path}` : `/${prefix}/${path}`;
}

function isExcluded(config: ApplicationConfig, path: string): boolean {
  const { exclude = [] } = config.getGlobalPrefixOptions();
  return exclude.some(
    ({ pathRegex, requestMethod }) =>
      (requestMethod === RequestMethod.ALL || requestMethod === RequestMethod.POST) && pathRegex.test(path),
  );
}

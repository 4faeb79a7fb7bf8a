import { describe, expect, it } from 'vitest';
import { HttpCall, RefusedCall } from './http-call.js';
import { Mount, MountTable } from './mount.js';

const ROUTES = [
  { name: 'cancel', method: 'POST', path: '/tasks/{id}:cancel' },
  { name: 'get', method: 'GET', path: '/tasks/{id}' },
  { name: 'list', method: 'GET', path: '/tasks' },
  { name: 'follow', method: 'GET', path: '/follow', stream: true },
] as const;
const LIMITS = { bodySize: 1000, nesting: 10 };

function table(...mounts: [path: string, hasTenants?: boolean][]) {
  const result = new MountTable();
  for (const [path, hasTenants = false] of mounts) {
    result.at(path, () => new Mount(path, () => `/${path}`, LIMITS, hasTenants)).add(ROUTES);
  }
  return (method: string, url: string) => {
    const resolution = result.resolve(method, url);
    if (resolution instanceof HttpCall)
      return { path: resolution.mount.path, name: resolution.route.name, ...resolution.params };
    if (resolution instanceof RefusedCall)
      return { status: resolution.error.httpStatus, isTaken: resolution.isTaken };
    return undefined;
  };
}

describe('MountTable', () => {
  it.each([
    ['GET', '/a2a/tasks/a%2Fb?x=/y', { path: 'a2a', name: 'get', id: 'a/b' }],
    ['HEAD', '/a2a/tasks', { path: 'a2a', name: 'list' }],
    ['HEAD', '/a2a/follow', { status: 405, isTaken: true }],
    ['GET', '/a2a/tasks#fragment?', { path: 'a2a', name: 'list' }],
    ['GET', '/a2a/tasks?', { path: 'a2a', name: 'list' }],
    ['GET', 'http://proxy.example/a2a/tasks', { path: 'a2a', name: 'list' }],
    ['GET', '/a2a/tasks/', { status: 404, isTaken: true }],
    ['GET', '/A2A/tasks', { status: 404, isTaken: true }],
    ['GET', '/A2A/other', undefined],
    ['GET', '/a2a/other', { status: 404, isTaken: false }],
    ['GET', '/a2a/tasks/t:cancel', { status: 405, isTaken: true }],
    ['GET', '/a2a/tasks/%zz', { path: 'a2a', name: 'get', id: '%zz' }],
    ['GET', '/a2a', { status: 404, isTaken: false }],
    ['GET', '/a2ab/tasks', undefined],
    ['GET', '*', undefined],
    ['GET', '', undefined],
  ])('%s %s', (method, url, expected) => {
    expect(table(['a2a'])(method, url)).toEqual(expected);
  });

  it('prefers a path without tenant, but not where it has no such method', () => {
    const resolve = table(['a2a', true]);
    expect(resolve('GET', '/a2a/tasks/tasks')).toEqual({ path: 'a2a', name: 'get', id: 'tasks' });
    expect(resolve('GET', '/a2a/x/tasks')).toEqual({ path: 'a2a', name: 'list', tenant: 'x' });
    expect(resolve('POST', '/a2a/tasks/tasks')).toEqual({ status: 405, isTaken: true });
    expect(resolve('POST', '/a2a/tasks/tasks/t:cancel')).toEqual({
      path: 'a2a',
      name: 'cancel',
      tenant: 'tasks',
      id: 't',
    });
  });

  it('gives a request to the agent with the longest path', () => {
    const resolve = table(['a2a'], ['a2a/second']);
    expect(resolve('GET', '/a2a/second/tasks')).toEqual({ path: 'a2a/second', name: 'list' });
    expect(resolve('GET', '/a2a/tasks')).toEqual({ path: 'a2a', name: 'list' });
  });

  it.each([
    [['a2a', true] as const, ['a2a/second'] as const],
    [['a2a/second'] as const, ['a2a', true] as const],
  ])('refuses a path that is a tenant of another agent', (one, two) => {
    expect(() => table([...one], [...two])).toThrow('"a2a/second" lies below "a2a"');
  });
});

import { describe, expect, it } from 'vitest';
import { RouteTemplate } from './route-template.js';

describe('RouteTemplate', () => {
  it.each([
    ['/message:send', '/message\\:send', '/message::send'],
    ['/tasks', '/tasks', '/tasks'],
    ['/tasks/{id}', '/tasks/:id', '/tasks/:id'],
    ['/tasks/{id}:cancel', '/tasks/:id\\:cancel', '/tasks/:id(^[^]+)::cancel'],
    ['/{tenant}/tasks/{id}:cancel', '/:tenant/tasks/:id\\:cancel', '/:tenant/tasks/:id(^[^]+)::cancel'],
    ['/tasks/{taskId}/configs/{id}', '/tasks/:taskId/configs/:id', '/tasks/:taskId/configs/:id'],
  ])('spells %s for each adapter', (path, express, fastify) => {
    const template = new RouteTemplate(path);
    expect([template.express, template.fastify]).toEqual([express, fastify]);
    expect(template.isStatic).toBe(!path.includes('{'));
  });

  it.each([
    ['/tasks/{id}:cancel', '/tasks/a:b:cancel', { id: 'a:b' }],
    ['/tasks/{id}:cancel', '/tasks/a%2Fb:cancel', { id: 'a%2Fb' }],
    ['/tasks/{id}:cancel', '/tasks/:cancel', undefined],
    ['/tasks/{id}:cancel', '/tasks/a%3Acancel', undefined],
    ['/tasks/{id}:cancel', '/tasks/a:Cancel', undefined],
    ['/tasks/{id}', '/tasks/a/', undefined],
    ['/tasks/{id}', '/tasks/a/b', undefined],
    ['/tasks/{id}', '/tasks/', undefined],
    ['/{tenant}/tasks/{id}', '/acme/tasks/__proto__', { tenant: 'acme', id: '__proto__' }],
    ['/message:send', '/messageXsend', undefined],
  ])('%s and %s', (path, url, parameters) => {
    expect(new RouteTemplate(path).match(url)).toEqual(parameters);
  });

  it('knows what a router that folds case and a trailing slash would take', () => {
    const template = new RouteTemplate('/tasks/{id}:cancel');
    expect(
      ['/TASKS/a:Cancel/', '/tasks/a:cancel', '/tasks/a:cancel/x'].map((path) =>
        template.matchesLoosely(path),
      ),
    ).toEqual([true, true, false]);
  });
});

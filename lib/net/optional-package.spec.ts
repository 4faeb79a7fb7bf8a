import { expect, it } from 'vitest';
import { optionalPackage } from './optional-package.js';

const load = (name: string) => () => import(/* @vite-ignore */ name) as Promise<unknown>;

it('gives the package', async () => {
  expect(await optionalPackage('node:path', 'x', () => import('node:path'))).toHaveProperty('join');
});

it('names the package that is missing and the option that needs it', async () => {
  await expect(optionalPackage('not-there', 'auth[0].jwt', load('not-there'))).rejects.toThrow(
    'auth[0].jwt needs the package "not-there": npm install not-there',
  );
});

it('leaves other faults as they are', async () => {
  const broken = new Error('broken');
  await expect(optionalPackage('x', 'y', () => Promise.reject(broken))).rejects.toBe(broken);
});

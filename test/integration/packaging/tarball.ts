import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPackageFromTarballData, type Package } from '@arethetypeswrong/core';
import ts from 'typescript';
import { run } from './consumer.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What would be published. */
export interface Tarball {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly content: Package;
  /** Paths in the package. */
  readonly files: readonly string[];
  read(file: string): string;
  readonly manifest: Readonly<Record<string, any>>;
}

/** Builds and packs as `npm publish` would. */
export async function packTarball(folder: string): Promise<Tarball> {
  await run('npm', ['pack', '--pack-destination', folder], ROOT);
  const path = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
  );
  const bytes = Uint8Array.from(await readFile(path));
  const content = createPackageFromTarballData(bytes);
  const prefix = `/node_modules/${content.packageName}/`;
  const read = (file: string) => content.readFile(prefix + file);
  const files = content.listFiles().map((file) => file.slice(prefix.length));
  return { path, bytes, content, files, read, manifest: JSON.parse(read('package.json')) };
}

/** The declarations that a compiler reads for these ones, themselves included. */
export function reachable({ read }: Tarball, entries: readonly string[]): string[] {
  const found = new Set(entries);
  // The set grows while it is walked.
  for (const file of found) {
    for (const { fileName } of ts.preProcessFile(read(file), true, true).importedFiles) {
      if (fileName.startsWith('.')) found.add(posix.join(dirname(file), fileName.replace(/\.js$/, '.d.ts')));
    }
  }
  return [...found];
}

/** The packages that a file of the tarball imports, each by its name alone. */
export function importsOf(code: string): string[] {
  return ts
    .preProcessFile(code, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((specifier) => !/^(\.|node:)/.test(specifier))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
}

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The workers of one run share the folder: whoever comes first builds. */
const FOLDER = join(tmpdir(), `nest-a2a-built-${process.ppid}`);
const DONE = join(FOLDER, 'done');

/**
 * A folder with the project as users have it: programs in it import `nest-a2a` by its name, in processes of their own. Built
 * once in a run, and apart from `dist/`, which others may build meanwhile.
 */
export async function builtProject(): Promise<string> {
  if (existsSync(DONE)) return FOLDER;
  if (!isFirst()) {
    while (!existsSync(DONE)) await delay(50);
    return FOLDER;
  }
  copyFileSync(join(ROOT, 'package.json'), join(FOLDER, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(FOLDER, 'node_modules'));
  transpile('lib', 'dist');
  transpile('sample', 'dist-sample');
  writeFileSync(DONE, '');
  return FOLDER;
}

/** Removes what the workers of this process have built. */
export async function removeBuiltProject(): Promise<void> {
  await rm(join(tmpdir(), `nest-a2a-built-${process.pid}`), { recursive: true, force: true });
}

function isFirst(): boolean {
  try {
    mkdirSync(FOLDER);
    return true;
  } catch {
    return false;
  }
}

/** File by file and without a look at types, which is many times faster than a build. */
function transpile(from: string, to: string): void {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { compilerOptions } = config as { compilerOptions: object };
  // Which kind of modules a package has stands in its package.json, which is not looked at here.
  const forced = { module: 'esnext', moduleResolution: 'bundler', sourceMap: false, declaration: false };
  const { options } = ts.convertCompilerOptionsFromJson({ ...compilerOptions, ...forced }, ROOT);
  for (const file of readdirSync(join(ROOT, from), { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!\.spec)\.ts$/.test(file)) continue;
    const fileName = join(ROOT, from, file);
    const { outputText } = ts.transpileModule(readFileSync(fileName, 'utf8'), {
      fileName,
      compilerOptions: options,
    });
    const target = join(FOLDER, to, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
  }
}

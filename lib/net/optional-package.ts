/**
 * Loads a package that is only needed for some option: `await optionalPackage('jose', 'auth[0].jwt', () => import('jose'))`.
 *
 * @throws Error naming the package and the option, if it is not installed
 */
export async function optionalPackage<T>(name: string, option: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new Error(`${option} needs the package "${name}": npm install ${name}`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

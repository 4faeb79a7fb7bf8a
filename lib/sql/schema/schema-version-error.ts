/**
 * The schema of the database does not fit this version of the package.
 *
 * @publicApi
 */
export class SchemaVersionError extends Error {
  override readonly name = 'SchemaVersionError';

  private constructor(message: string) {
    super(message);
  }

  static behind(steps: readonly string[]): SchemaVersionError {
    return new SchemaVersionError(
      `The schema of the database lacks ${steps.join(', ')}: run "npx nest-a2a db migrate", or open the database ` +
        'with "migrate: true"',
    );
  }

  static ahead(steps: readonly string[]): SchemaVersionError {
    return new SchemaVersionError(
      `The schema of the database is that of a later version of nest-a2a, which added ${steps.join(', ')}: ` +
        'run that version here too',
    );
  }
}

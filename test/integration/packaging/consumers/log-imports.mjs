// Loaded with `--import`: writes what modules ask for to the standard error output.
import { register } from 'node:module';

const hooks = `
  import { writeSync } from 'node:fs';
  export function resolve(specifier, context, next) {
    if (context.parentURL) writeSync(2, 'import ' + specifier + ' from ' + context.parentURL + '\\n');
    return next(specifier, context);
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

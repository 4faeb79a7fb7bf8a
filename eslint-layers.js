import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIB = fileURLToPath(new URL('./lib', import.meta.url));

/**
 * Which folder of `lib/` may import which: arrows go down only. The longest name that fits a file is its layer.
 * A folder may always import from itself. docs/architecture.md shows the same table.
 */
export const LAYERS = {
  module: [
    'bindings',
    'bindings/http-json',
    'bindings/json-rpc',
    'http',
    'auth',
    'push',
    'card',
    'server',
    'net',
    'options',
    'protocol',
  ],
  bindings: ['http', 'server', 'protocol'],
  'bindings/http-json': ['bindings', 'http', 'server', 'protocol'],
  'bindings/json-rpc': ['bindings', 'http', 'server', 'protocol'],
  http: ['protocol'],
  auth: ['server', 'net', 'protocol'],
  push: ['server', 'net', 'protocol'],
  'push/receiver': ['http', 'options', 'protocol'],
  card: ['server', 'net', 'protocol'],
  server: ['protocol'],
  client: ['net', 'options', 'protocol'],
  cli: ['client', 'auth', 'sql', 'net', 'protocol'],
  net: [],
  options: ['protocol'],
  sql: ['server', 'push', 'net', 'options', 'protocol'],
  redis: ['server', 'net', 'options', 'protocol'],
  protocol: [],
};

/** Nothing restricts these: the public entries, and what is made to test with. */
const FREE = ['testing'];

/** The folder, relative to `lib/`, that a file belongs to; '' for files of `lib/` itself. */
function layerOf(file) {
  const path = relative(LIB, file).split(sep).join('/');
  if (path.startsWith('..')) return undefined;
  if (!path.includes('/')) return '';
  const known = [...Object.keys(LAYERS), ...FREE].filter((layer) => path.startsWith(`${layer}/`));
  return known.sort((a, b) => b.length - a.length)[0] ?? path.split('/')[0];
}

/** Refuses an import that goes up, sideways, or out of `lib/`. */
export const layersRule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      up: '{{from}}/ must not import {{to}}/: it may import {{allowed}}',
      entry: '{{from}}/ must not import a public entry: import the file that declares the name',
      outside: 'lib/ must not import from outside of itself',
      unknown: 'lib/{{from}}/ is in no layer: add it to eslint-layers.js and docs/architecture.md',
    },
  },
  create(context) {
    const from = layerOf(context.filename);
    // A spec may use anything that helps it to test its subject.
    if (!from || FREE.includes(from) || /\.spec\.ts$/.test(context.filename)) return {};

    const check = (node, source) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const to = layerOf(resolve(dirname(context.filename), source.value));
      if (!LAYERS[from]) context.report({ node, messageId: 'unknown', data: { from } });
      else if (to === undefined) context.report({ node, messageId: 'outside' });
      else if (to === '') context.report({ node, messageId: 'entry', data: { from } });
      else if (to !== from && !LAYERS[from].includes(to)) {
        const allowed = LAYERS[from].map((layer) => `${layer}/`).join(', ') || 'nothing';
        context.report({ node, messageId: 'up', data: { from, to, allowed } });
      }
    };
    return {
      ImportDeclaration: (node) => check(node, node.source),
      ExportNamedDeclaration: (node) => check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      ImportExpression: (node) => check(node, node.source),
      TSImportType: (node) => check(node, node.source ?? node.argument?.literal),
    };
  },
};

import {
  ExtensionSupportRequiredError,
  VersionNotSupportedError,
  type AgentExtension,
} from '../protocol/index.js';

/** The names of the service parameters (§3.2.6), in lower case as Node gives headers. */
export const VERSION_PARAMETER = 'a2a-version';
/** The header of extensions, in 1.0 and as 0.3 calls it. */
const EXTENSIONS_HEADERS = ['A2A-Extensions', 'X-A2A-Extensions'] as const;

/** What a request without a version means (§3.6.2). */
const IMPLIED_VERSION = '0.3';

/**
 * The `Major.Minor` of the version that a request asks for, which has to be that of what it calls: methods and paths belong to
 * one version each.
 *
 * @param spoken the version of the method or path that is called
 * @throws VersionNotSupportedError if it is another one, or none of `served`
 */
export function negotiateVersion(
  asked: string | undefined,
  served: readonly string[],
  spoken = '1.0',
): string {
  const given = asked?.trim() ?? '';
  const version = given === '' ? IMPLIED_VERSION : /^(\d+\.\d+)(?:\.\d+)?$/.exec(given)?.[1];
  const isServed = version !== undefined && served.includes(version);
  if (isServed && version === spoken) return version;
  const what =
    given === ''
      ? `A request without the header A2A-Version means version ${IMPLIED_VERSION}`
      : `Version ${JSON.stringify(given.slice(0, 40))} is asked for`;
  const problem = isServed ? `and what it calls is of version ${spoken}` : 'which is not served here';
  const versions = served.join(', ');
  throw new VersionNotSupportedError(`${what}, ${problem}; served: ${versions}. ${adviceFor(spoken)}`, {
    metadata: { supportedVersions: versions },
  });
}

function adviceFor(spoken: string): string {
  if (spoken !== IMPLIED_VERSION) return `Send the header "A2A-Version: ${spoken}".`;
  return `Leave the header A2A-Version out, or call what version 1.0 has for it.`;
}

/** The value of the version parameter: the header if it says something, else the query string's, in any case. */
export function askedVersion(
  header: string | undefined,
  query: Readonly<Record<string, string | string[]>>,
): string | undefined {
  if (header !== undefined && header.trim() !== '') return header;
  for (const name in query) {
    if (name.toLowerCase() === VERSION_PARAMETER) return [query[name] ?? ''].flat()[0];
  }
  return header;
}

/** The extensions that a request asks for. */
export interface AskedExtensions {
  readonly uris: ReadonlySet<string>;
  /** The headers that said so: the answer names the active ones in the same. */
  readonly headers: readonly string[];
}

const NOTHING_ASKED: AskedExtensions = { uris: new Set(), headers: [EXTENSIONS_HEADERS[0]] };

/** The extensions asked for; where 0.3 is served, by its header too. */
export function askedExtensions(
  headers: Readonly<Record<string, string | undefined>>,
  served: readonly string[],
): AskedExtensions {
  const names = served.includes(IMPLIED_VERSION) ? EXTENSIONS_HEADERS : EXTENSIONS_HEADERS.slice(0, 1);
  const given = names.filter((name) => headers[name.toLowerCase()] !== undefined);
  if (given.length === 0) return NOTHING_ASKED;
  const all = given.flatMap((name) => headers[name.toLowerCase()]?.split(',') ?? []);
  return { uris: new Set(all.map((uri) => uri.trim())), headers: given };
}

/**
 * The extensions that are active for a request: those it asks for and the card declares, in the card's order.
 *
 * @throws ExtensionSupportRequiredError naming those that the card requires and the request does not ask for
 */
export function activateExtensions(
  uris: ReadonlySet<string>,
  declared: readonly AgentExtension[],
): readonly string[] {
  if (declared.length === 0) return NONE;
  const missing = declared.filter(({ uri, required }) => required === true && !uris.has(uri));
  if (missing.length > 0) {
    const list = missing.map(({ uri }) => uri).join(', ');
    throw new ExtensionSupportRequiredError(`The agent requires the header "A2A-Extensions: ${list}"`, {
      metadata: { extensions: list },
    });
  }
  return declared.map(({ uri }) => uri).filter((uri) => uris.has(uri));
}

const NONE: readonly string[] = [];

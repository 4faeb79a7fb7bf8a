import {
  ExtensionSupportRequiredError,
  VersionNotSupportedError,
  type AgentExtension,
} from '../protocol/index.js';

/** The names of the service parameters (§3.2.6), in lower case as Node gives headers. */
export const VERSION_PARAMETER = 'a2a-version';
export const EXTENSIONS_PARAMETER = 'a2a-extensions';

/** What a request without a version means (§3.6.2). */
const IMPLIED_VERSION = '0.3';

/**
 * The `Major.Minor` of the version that a request asks for.
 *
 * @throws VersionNotSupportedError if it is none of `served`
 */
export function negotiateVersion(asked: string | undefined, served: readonly string[]): string {
  const given = asked?.trim() ?? '';
  const version = given === '' ? IMPLIED_VERSION : /^(\d+\.\d+)(?:\.\d+)?$/.exec(given)?.[1];
  if (version !== undefined && served.includes(version)) return version;
  const what =
    given === ''
      ? `A request without the header A2A-Version means version ${IMPLIED_VERSION}, which is not served here`
      : `Version ${JSON.stringify(given.slice(0, 40))} is not served here`;
  const versions = served.join(', ');
  throw new VersionNotSupportedError(
    `${what}; served: ${versions}. Send the header "A2A-Version: ${served[0] ?? ''}".`,
    {
      metadata: { supportedVersions: versions },
    },
  );
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

/**
 * The extensions that are active for a request: those it asks for and the card declares, in the card's order.
 *
 * @throws ExtensionSupportRequiredError naming those that the card requires and the request does not ask for
 */
export function activateExtensions(
  asked: string | undefined,
  declared: readonly AgentExtension[],
): readonly string[] {
  if (declared.length === 0) return NONE;
  const uris = new Set(asked?.split(',').map((uri) => uri.trim()));
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

const PLACE = '{username}';
const DEFAULT_FILTER = '(uid={username})';
/** Characters that mean something in a filter (RFC 4515, section 3). */

const SPECIAL = /[\\*()\u0000]/g;
const COMPARED = /\(([a-zA-Z][\w.;-]*)=\{username\}\)/;

/** The filter that finds a user. Whatever the name holds, it is compared and does not change the filter. */
export function filterFor(username: string, filter = DEFAULT_FILTER): string {
  const escaped = username.replace(SPECIAL, (character) => {
    return `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  // By a function, since the text of a replacement gives `$&` a meaning.
  return filter.replaceAll(PLACE, () => escaped);
}

/** The first attribute that a filter compares with the name. */
export function comparedAttribute(filter = DEFAULT_FILTER): string | undefined {
  return COMPARED.exec(filter)?.[1];
}

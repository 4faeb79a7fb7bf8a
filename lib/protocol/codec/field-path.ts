/** A field name, a map key or an index. */
export type PathSegment = string | number;

/** A path as faults name it: `message.parts[2].data["a b"]`. */
export function formatPath(prefix: string, segments: readonly PathSegment[]): string {
  let path = prefix;
  for (const segment of segments) {
    if (typeof segment === 'number') path += `[${segment}]`;
    else if (/^[A-Za-z_$][\w$]{0,99}$/.test(segment)) path += path === '' ? segment : `.${segment}`;
    else path += `[${quote(segment)}]`;
  }
  return path;
}

/** A caller's own string inside a fault, cut short. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** What a value is, in the words of JSON. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'undefined' ? 'absent' : `a ${typeof value}`;
}

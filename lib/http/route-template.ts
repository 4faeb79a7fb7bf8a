/** A piece of a path in the proto's notation: text, or the name of a parameter. */
type Token = { readonly text: string } | { readonly parameter: string };

/**
 * A path in the proto's notation, such as `/tasks/{id}:cancel`.
 *
 * Each adapter spells it its own way, and a spelling for one breaks the other: Express escapes a literal colon with
 * a backslash, Fastify doubles it and needs a pattern where text follows a parameter.
 */
export class RouteTemplate {
  readonly #tokens: readonly Token[];
  readonly #exact: RegExp;
  readonly #loose: RegExp;

  constructor(readonly path: string) {
    this.#tokens = [...path.matchAll(/\{(\w+)\}|[^{]+/g)].map(([text, parameter]) =>
      parameter === undefined ? { text } : { parameter },
    );
    const source = this.#spell(
      (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
      () => '([^/]+)',
    );
    this.#exact = new RegExp(`^${source}$`);
    this.#loose = new RegExp(`^${source}/?$`, 'i');
  }

  /** Whether the path is the same for every request. */
  get isStatic(): boolean {
    return this.#tokens.every((token) => 'text' in token);
  }

  get express(): string {
    return this.#spell(
      (text) => text.replaceAll(':', '\\:'),
      (name) => `:${name}`,
    );
  }

  get fastify(): string {
    return this.#spell(
      (text) => text.replaceAll(':', '::'),
      (name, next) => (next === undefined || next.startsWith('/') ? `:${name}` : `:${name}(^[^]+)`),
    );
  }

  /** The parameters of an undecoded path, still undecoded, or `undefined` if it does not match exactly. */
  match(path: string): Record<string, string> | undefined {
    const found = this.#exact.exec(path);
    if (found === null) return undefined;
    const parameters: Record<string, string> = {};
    let index = 0;
    for (const token of this.#tokens)
      if ('parameter' in token) parameters[token.parameter] = found[++index] ?? '';
    return parameters;
  }

  /** Whether a router that ignores case and a trailing slash, as Express does, would take the path. */
  matchesLoosely(path: string): boolean {
    return this.#loose.test(path);
  }

  #spell(
    text: (text: string) => string,
    parameter: (name: string, next: string | undefined) => string,
  ): string {
    return this.#tokens
      .map((token, index) => {
        if ('text' in token) return text(token.text);
        const next = this.#tokens[index + 1];
        return parameter(token.parameter, next && ('text' in next ? next.text : ''));
      })
      .join('');
  }
}

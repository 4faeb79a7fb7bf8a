import { ConsoleLogger, Logger } from '@nestjs/common';
import { withoutCredentials } from '../wire-errors/body-excerpt.js';
import { parseUrl } from '../../net/parse-url.js';

const logger = new Logger('A2AClient');
let calls = 0;
let isInApplication = false;

/** The logger of Nest as it stands, which subclasses may see. */
class CurrentLogger extends Logger {
  static readonly #initial = this.staticInstanceRef;

  /** Whether somebody has set a logger or its levels. */
  static get isSet(): boolean {
    const current = this.staticInstanceRef;
    const isUntouched = current === this.#initial && current instanceof ConsoleLogger;
    return !isUntouched || this.logLevels !== undefined;
  }
}

/**
 * Tells of calls also where nobody has set a logger, as is usual in an application of Nest. In other programs standard
 * output is theirs.
 */
export function logCallsOfApplication(): void {
  isInApplication = true;
}

/** A number for a request, the next one in this process. */
export function nextRequestId(): number {
  return ++calls;
}

/** One request in the log, at level `debug`: never its headers, its body or what of its URL may be secret. */
export class CallLog {
  readonly #start = performance.now();

  constructor(
    private readonly operation: string,
    private readonly id: number,
    private readonly method: string,
    private readonly url: string,
  ) {}

  answered(status: number): void {
    this.#write(() => `HTTP ${status}`);
  }

  failed(error: unknown): void {
    this.#write(() => describe(error));
  }

  #write(outcome: () => string): void {
    if (!(isInApplication || CurrentLogger.isSet) || !Logger.isLevelEnabled('debug')) return;
    const time = Math.round(performance.now() - this.#start);
    logger.debug(
      `${this.operation} #${this.id} ${this.method} ${publicUrl(this.url)}: ${outcome()} (${time} ms)`,
    );
  }
}

/** A URL without its user information and query. */
export function publicUrl(url: string): string {
  const parsed = parseUrl(url);
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : '(no URL)';
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'ended';
  return withoutCredentials(`${error.name}: ${error.message}`);
}

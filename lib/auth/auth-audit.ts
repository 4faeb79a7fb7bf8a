import { Logger, type ExecutionContext } from '@nestjs/common';
import type { A2AError } from '../protocol/index.js';
import type { EntryFailure, EntryLabel } from './auth-entry.js';
import type { AuthEvent, AuthListener } from './auth-event.js';
import { AuthLog } from './auth-log.js';
import { calledOperation } from './called-operation.js';
import type { Principal } from './credential-verifier.js';
import { nodeRequestOf } from './node-request.js';

type Told = Omit<AuthEvent, 'agent' | 'operation' | 'remoteAddress'>;

/** Tells the log and the application what came of authenticating requests to one agent. Neither sees a credential. */
export class AuthAudit {
  readonly #logger: Logger;
  readonly #log: AuthLog;

  constructor(
    private readonly agent: string,
    private readonly listener: AuthListener | undefined,
  ) {
    this.#logger = new Logger(`A2A:${agent}`);
    this.#log = new AuthLog(this.#logger);
  }

  admitted({ identity, authority }: Principal, context: ExecutionContext): void {
    if (!this.listener) return;
    // Where passport leaves what the strategy says beside the principal.
    const { authInfo } = context.switchToHttp().getRequest<{ authInfo?: Partial<EntryLabel> }>();
    const { entry, scheme } = authInfo ?? {};
    const by = { ...(entry !== undefined && { entry }), ...(scheme !== undefined && { scheme }) };
    this.#tell({ outcome: 'admitted', ...by, identity, authority, reasons: [] }, this.listener, context);
  }

  refused(error: A2AError, failures: readonly EntryFailure[], context: ExecutionContext): void {
    // A request without any credential is how clients ask for the challenge.
    const told = failures.filter(({ kind }) => kind !== 'absent');
    if (told.length > 0 || error.httpStatus >= 500) this.#logRefusal(error, told, context);
    if (!this.listener) return;
    const decisive =
      told.find(({ kind }) => kind === 'insufficient') ?? (told.length === 1 ? told[0] : undefined);
    const known = decisive?.kind === 'insufficient' ? decisive.principal : undefined;
    const event: Told = {
      outcome: outcomeOf(error),
      ...(decisive && { entry: decisive.entry, scheme: decisive.scheme }),
      ...(known && { identity: known.identity, authority: known.authority }),
      reasons: told.map(({ entry, reason }) => ({ entry, reason })),
    };
    this.#tell(event, this.listener, context);
  }

  #logRefusal(error: A2AError, told: readonly EntryFailure[], context: ExecutionContext): void {
    const failed = told.find((failure) => failure.kind === 'failed');
    const stack = failed?.error instanceof Error ? failed.error.stack : undefined;
    const reasons = told.map(({ entry, reason }) => `${entry}: ${reason}`).join('; ') || error.message;
    const line = `${calledOperation(context)} refused with ${error.httpStatus}: ${reasons}`;
    this.#log.write(error.httpStatus >= 500 ? 'error' : 'warn', line, stack);
  }

  #tell(event: Told, listener: AuthListener, context: ExecutionContext): void {
    const { remoteAddress } = nodeRequestOf(context.switchToHttp().getRequest<object>()).socket;
    const { agent } = this;
    const operation = calledOperation(context);
    const whole: AuthEvent = {
      agent,
      operation,
      ...event,
      ...(remoteAddress !== undefined && { remoteAddress }),
    };
    void (async () => listener(whole))().catch((error: unknown) => {
      this.#log.write('error', 'onAuth failed', error instanceof Error ? error.stack : String(error));
    });
  }
}

function outcomeOf({ httpStatus }: A2AError): AuthEvent['outcome'] {
  if (httpStatus === 401) return 'unauthenticated';
  return httpStatus === 403 ? 'forbidden' : 'unavailable';
}

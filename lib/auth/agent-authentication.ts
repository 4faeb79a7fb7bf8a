import { randomUUID } from 'node:crypto';
import {
  HttpException,
  type BeforeApplicationShutdown,
  type CanActivate,
  type ExecutionContext,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { errorStatus, isA2AError, type A2AError } from '../protocol/index.js';
import { localCall } from '../server/call-context.js';
import { ownerOf, type TaskOwnerResolver } from '../server/task-owner-resolver.js';
import { DoubtfulCredentialError, type AttemptThrottle } from './attempt-throttle.js';
import { AuthAudit } from './auth-audit.js';
import type { EntryFailure, WorkingEntry } from './auth-entry.js';
import type { AuthListener } from './auth-event.js';
import { authenticatedOf, setAuthenticated } from './authenticated-request.js';
import { readAuthorization } from './authorization-header.js';
import { CredentialRejectedError, type BasicCredential, type Principal } from './credential-verifier.js';
import { nodeRequestOf } from './node-request.js';
import { closeEntries } from './open-entries.js';
import { passportGuards, type PassportGuards } from './passport.js';
import { readBasic } from './read-credential.js';
import { Refusals } from './refusals.js';

/** What authentication of an agent is made of. */
export interface AuthenticationParts {
  /** The name of the agent. */
  readonly agent: string;
  /** Empty for an agent that does not authenticate. */
  readonly entries: readonly WorkingEntry[];
  readonly owners: TaskOwnerResolver;
  /** Slows the guessing of passwords. */
  readonly throttle?: AttemptThrottle | undefined;
  readonly listener?: AuthListener | undefined;
}

/** The token of an agent's {@link AgentAuthentication}. */
export function authenticationToken(agent: string): string {
  return `nest-a2a:AgentAuthentication:${agent}`;
}

/** Authenticates the callers of one agent by its entries. */
export class AgentAuthentication implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #refusals: Refusals;
  readonly #audit: AuthAudit;
  /** Answers to a credential that an entry rejected. */
  readonly #rejections = new WeakSet<HttpException>();
  #guards: PassportGuards | undefined;

  private constructor(private readonly parts: AuthenticationParts) {
    const { agent, entries, listener } = parts;
    this.#refusals = new Refusals(agent, entries);
    this.#audit = new AuthAudit(agent, listener);
  }

  /** Gets ready; the verifiers are open by now. */
  static async of(parts: AuthenticationParts): Promise<AgentAuthentication> {
    const authentication = new AgentAuthentication(parts);
    await authentication.#prepare();
    return authentication;
  }

  /** Whether callers have to authenticate. */
  get isRequired(): boolean {
    return this.#guards !== undefined;
  }

  /**
   * Lets a request pass that an entry admits.
   *
   * @throws HttpException with the answer as its body and the A2AError as its cause
   */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.#guards === undefined) return true;
    const request = context.switchToHttp().getRequest<object>();
    // A guard of the application may have asked already.
    if (authenticatedOf(request)?.by === this) return true;
    const authorization = readAuthorization(nodeRequestOf(request));
    const guard = this.#guards.byScheme.get(authorization.scheme);
    if (guard === undefined) return this.#refuse([], context);
    const { credential } = this.parts.throttle ? readBasic(authorization) : {};
    return credential ? this.#slowly(credential, guard, context) : ask(guard, context);
  }

  /** The owner of what a caller makes with this agent. */
  async ownerOf(principal: Principal, request: object): Promise<string | undefined> {
    const headers = nodeRequestOf(request).headers as Record<string, string>;
    const { identity, authority, scopes } = principal;
    return ownerOf(this.parts.owners, localCall({ identity, authority, scopes, headers }));
  }

  /** Requests that wait for their turn would hold up the server. */
  beforeApplicationShutdown(): void {
    this.parts.throttle?.close();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#guards?.close();
    await closeEntries(this.parts.entries);
  }

  async #prepare(): Promise<void> {
    const { agent, entries } = this.parts;
    if (entries.length === 0) return;
    this.#guards = await passportGuards(
      entries,
      `nest-a2a:${agent}:${randomUUID()}`,
      (principal, failures, context) =>
        principal ? this.#admit(principal, context) : this.#refuse(failures, context),
    );
  }

  /**
   * The throttle knows attempts by what they throw, so the answer goes through it as the cause of a rejection: a 401, and
   * any other answer after an entry said no. While one entry is away, all guesses at the passwords of another get a 503.
   */
  async #slowly(
    credential: BasicCredential,
    guard: CanActivate,
    context: ExecutionContext,
  ): Promise<boolean> {
    const attempt = () =>
      ask(guard, context).catch((error: unknown) => {
        if (!(error instanceof HttpException && this.#rejections.has(error))) throw error;
        const Rejection = error.getStatus() === 401 ? CredentialRejectedError : DoubtfulCredentialError;
        throw new Rejection('', { cause: error });
      });
    try {
      return (await this.parts.throttle?.run(credential, attempt)) === true;
    } catch (error) {
      if (error instanceof CredentialRejectedError) throw error.cause;
      if (isA2AError(error)) return this.#answer(error, [], context);
      throw error;
    }
  }

  #admit(principal: Principal, context: ExecutionContext): Principal {
    setAuthenticated(context.switchToHttp().getRequest<object>(), { principal, by: this });
    this.#audit.admitted(principal, context);
    return principal;
  }

  #refuse(failures: readonly EntryFailure[], context: ExecutionContext): never {
    const error = this.#refusals.of(failures);
    const isRejected = error.httpStatus !== 403 && failures.some(({ kind }) => kind === 'rejected');
    return this.#answer(error, failures, context, isRejected);
  }

  #answer(
    error: A2AError,
    failures: readonly EntryFailure[],
    context: ExecutionContext,
    isRejected = false,
  ): never {
    this.#audit.refused(error, failures, context);
    const response = context.switchToHttp().getResponse<{ header(name: string, value: unknown): void }>();
    // Nest's own filters, which answer for the application's controllers, know of no headers.
    for (const [name, value] of Object.entries(error.headers)) response.header(name, value);
    if (error.retryAfter !== undefined) response.header('Retry-After', String(Math.ceil(error.retryAfter)));
    const answer = new HttpException(errorStatus(error), error.httpStatus, { cause: error });
    if (isRejected) this.#rejections.add(answer);
    throw answer;
  }
}

function ask(guard: CanActivate, context: ExecutionContext): Promise<boolean> {
  return guard.canActivate(context) as Promise<boolean>;
}

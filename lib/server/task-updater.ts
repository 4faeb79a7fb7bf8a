import type { JsonObject, Message, Part, StreamResponse } from '../protocol/index.js';

/** What an agent may say with a state: a text, parts, or a whole message. */
export type StatusText = string | Part<Uint8Array | string>[] | Message<Uint8Array | string>;

/** What may go with an artifact. */
export interface ArtifactOptions {
  /** Made up when absent. */
  artifactId?: string;
  name?: string;
  description?: string;
  metadata?: JsonObject;
  extensions?: string[];
  /** `true` on the last piece. */
  lastChunk?: boolean;
}

/**
 * Moves one task through its states. After the end of its turn it refuses every call with an error.
 *
 * A state resolves when it is stored, a piece of an artifact when it is queued; the queue is bounded, so awaiting
 * each call slows a fast agent down to its store. Bytes may be given as `Uint8Array` or base64.
 *
 * @publicApi
 */
export interface TaskUpdater {
  readonly taskId: string;
  readonly contextId: string;
  /** The agent is at it. */
  working(message?: StatusText): Promise<void>;
  /** Adds an artifact, or replaces the one with the same id; gives its id. */
  addArtifact(parts: Part<Uint8Array | string>[], options?: ArtifactOptions): Promise<string>;
  /** Adds parts to an artifact; an id that is not known yet starts a new one. */
  appendArtifact(
    artifactId: string,
    parts: Part<Uint8Array | string>[],
    options?: Omit<ArtifactOptions, 'artifactId'>,
  ): Promise<void>;
  /** Asks the user and ends the turn; the next message starts a new one. */
  requireInput(message: StatusText): Promise<void>;
  /** Asks for an authorization; the turn goes on (§7.6). */
  requireAuth(message: StatusText): Promise<void>;
  complete(message?: StatusText): Promise<void>;
  fail(message?: StatusText): Promise<void>;
  reject(message?: StatusText): Promise<void>;
  cancel(message?: StatusText): Promise<void>;
  /**
   * Publishes an event that the agent made itself, checked and copied. A Task in it updates what it names: a
   * missing key means unchanged.
   *
   * @throws InvalidAgentResponseError if it is no valid A2A
   */
  publish(event: StreamResponse): Promise<void>;
  /** Says that the task goes on after `execute` returns, driven through {@link A2ATasks}. */
  handOver(): void;
}

import type { JsonObject, JsonValue } from './json.js';

/** Who a message comes from (§4.1.5). */
export const Role = {
  /** Not set; never valid in a message. */
  Unspecified: 'ROLE_UNSPECIFIED',
  /** From the client to the agent. */
  User: 'ROLE_USER',
  /** From the agent to the client. */
  Agent: 'ROLE_AGENT',
} as const;
export type Role = (typeof Role)[keyof typeof Role];

interface PartFields {
  /** Free-form additions to this part. */
  metadata?: JsonObject;
  /** A name for the content, such as `report.pdf`. */
  filename?: string;
  /** The media type of the content, such as `image/png`; valid with every kind of content. */
  mediaType?: string;
}

interface NoContent {
  text?: never;
  raw?: never;
  url?: never;
  data?: never;
}

/** Text content. The empty string is content. */
export type TextPart = PartFields & Omit<NoContent, 'text'> & { text: string };
/** Bytes as a program gives them: as they are, or as base64. */
export type Bytes = Uint8Array | string;

/** The bytes of a file. */
export type RawPart<Raw = string> = PartFields & Omit<NoContent, 'raw'> & { raw: Raw };
/** A reference to a file. */
export type UrlPart = PartFields & Omit<NoContent, 'url'> & { url: string };
/** Any JSON value, `null` included. */
export type DataPart = PartFields & Omit<NoContent, 'data'> & { data: JsonValue };

/**
 * One piece of content: exactly one of `text`, `raw`, `url` and `data`, told by which key is present (§4.1.6).
 *
 * `Raw` is how bytes are held: standard padded base64 in the JSON form (the default), `Uint8Array` where the
 * library hands content to an agent.
 */
export type Part<Raw = string> = TextPart | RawPart<Raw> | UrlPart | DataPart;

/** One message of a conversation (§4.1.4). */
export interface Message<Raw = string> {
  /** Made by whoever made the message; required and never empty. */
  messageId: string;
  /** The conversation that the message belongs to. */
  contextId?: string;
  /** The task that the message continues. */
  taskId?: string;
  role: Role;
  /** At least one. */
  parts: Part<Raw>[];
  metadata?: JsonObject;
  /** URIs of the extensions that contributed to this message; a mark only, it activates nothing (§4.6). */
  extensions?: string[];
  /** Ids of other tasks that this message refers to (§3.4.3). */
  referenceTaskIds?: string[];
}

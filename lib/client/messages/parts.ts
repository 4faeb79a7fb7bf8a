import type { DataPart, JsonValue, RawPart, TextPart, UrlPart } from '../../protocol/index.js';

/** What a part may say beside its content. */
export type PartFields = Pick<TextPart, 'mediaType' | 'filename' | 'metadata'>;

/** A part with text. @publicApi */
export function textPart(text: string, fields: PartFields = {}): TextPart {
  return { ...fields, text };
}

/** A part that refers to a file. @publicApi */
export function urlPart(url: string | URL, fields: PartFields = {}): UrlPart {
  return { ...fields, url: String(url) };
}

/** A part with any JSON value, `null` included. @publicApi */
export function dataPart(data: JsonValue, fields: PartFields = {}): DataPart {
  return { ...fields, data };
}

/** A part with the bytes of a file. @publicApi */
export function rawPart(raw: Uint8Array, fields: PartFields = {}): RawPart<Uint8Array> {
  return { ...fields, raw };
}

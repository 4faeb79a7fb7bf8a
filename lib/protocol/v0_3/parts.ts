import { quote } from '../codec/field-path.js';
import { bytes, message, required, string, struct, text } from '../codec/fields.js';
import { defineSchema, type Optional } from '../codec/schema.js';
import { isFields } from '../codec/decode-message.js';
import type { JsonObject, JsonValue, Part } from '../types/index.js';
import { kind, mapped, oneKindOf, type Form03 } from './fields.js';
import type { DataPart03, File03, Part03, TextPart03 } from './types.js';

/** The key in the metadata of a data part that says that its value travels inside of an object, since 0.3 has no others. */
export const DATA_PART_COMPAT = 'data_part_compat';

/** A part of 1.0 in 0.3. A name and a media type are kept for files only. */
export function partTo03(part: Part): Part03 {
  const { metadata } = part;
  const more = metadata && { metadata };
  if (part.text !== undefined) return { kind: 'text', text: part.text, ...more };
  if (part.data !== undefined) return dataTo03(part.data, metadata);
  const file: File03 = {
    ...(part.raw !== undefined ? { bytes: part.raw } : { uri: part.url }),
    ...(part.filename !== undefined && { name: part.filename }),
    ...(part.mediaType !== undefined && { mimeType: part.mediaType }),
  };
  return { kind: 'file', file, ...more };
}

/** A part of 0.3 in 1.0. */
export function partFrom03(part: Part03): Part {
  const more = part.metadata && { metadata: part.metadata };
  switch (part.kind) {
    case 'text':
      return { text: part.text, ...more };
    case 'data':
      return dataFrom03(part);
    case 'file': {
      const { bytes: raw, uri = '', name, mimeType } = part.file;
      const content = raw !== undefined ? { raw } : { url: uri };
      const named = {
        ...(name !== undefined && { filename: name }),
        ...(mimeType && { mediaType: mimeType }),
      };
      return { ...content, ...named, ...more };
    }
  }
}

function dataTo03(data: JsonValue, metadata: JsonObject | undefined): DataPart03 {
  if (isFields(data)) return { kind: 'data', data, ...(metadata && { metadata }) };
  return { kind: 'data', data: { value: data }, metadata: { ...metadata, [DATA_PART_COMPAT]: true } };
}

function dataFrom03({ data, metadata }: DataPart03): Part {
  const isWrapped = metadata?.[DATA_PART_COMPAT] === true && Object.keys(data).join() === 'value';
  const value = isWrapped ? data.value : undefined;
  // An object would not have been wrapped: this one only looks like it.
  if (value === undefined || isFields(value)) return { data, ...(metadata && { metadata }) };
  const { [DATA_PART_COMPAT]: _mark, ...others } = metadata ?? {};
  return { data: value, ...(Object.keys(others).length > 0 && { metadata: others }) };
}

const TextPartSchema = defineSchema<TextPart03>('TextPart', {
  kind: kind('text'),
  text: required(text()),
  metadata: struct(),
});

const FileSchema = defineSchema<File03 & { fileWithBytes?: string; fileWithUri?: string }>(
  'File',
  {
    bytes: bytes(),
    uri: text(),
    // As the proto of 0.3 calls them.
    fileWithBytes: bytes(),
    fileWithUri: text(),
    name: string(),
    mimeType: string(),
  },
  { noun: 'a file', members: ['bytes', 'uri', 'fileWithBytes', 'fileWithUri'] },
);

const file = mapped(message(FileSchema), ({ fileWithBytes, fileWithUri, ...rest }): File03 => ({
  ...rest,
  ...(fileWithBytes !== undefined && { bytes: fileWithBytes }),
  ...(fileWithUri !== undefined && { uri: fileWithUri }),
}));

const FilePartSchema = defineSchema<Extract<Part03, { kind: 'file' }>>('FilePart', {
  kind: kind('file'),
  file: required(file),
  metadata: struct(),
});

const DataPartSchema = defineSchema<DataPart03>('DataPart', {
  kind: kind('data'),
  data: required(struct()),
  metadata: struct(),
});

const FIELDS = {
  text: message(TextPartSchema),
  file: message(FilePartSchema),
  data: message(DataPartSchema),
} as const;
const KINDS = Object.keys(FIELDS);
const RULE = `a part of protocol version 0.3 has the kind ${KINDS.join(', ')}`;

/** A part in either form. */
export function partField(form: Form03): Optional<Part03> {
  const data = form === 'rest' ? mapped(FIELDS.data, withoutBox) : FIELDS.data;
  return oneKindOf<Part03>('a part', (value, decoder) => {
    const given = value.kind ?? undefined;
    if (given !== undefined) {
      if (KINDS.includes(given as string)) return FIELDS[given as keyof typeof FIELDS];
      const what = typeof given === 'string' ? quote(given) : typeof given;
      return decoder.fault(`must be one of ${KINDS.join(', ')}, not ${what}`, ['kind']);
    }
    const [found, other] = KINDS.filter((name) => (value[name] ?? undefined) !== undefined);
    if (found === undefined) return decoder.fault(`has no content; ${RULE}${hintOf(value)}`);
    if (other !== undefined) return decoder.fault(`has both "${found}" and "${other}"; ${RULE}`);
    return found === 'data' ? data : FIELDS[found as keyof typeof FIELDS];
  });
}

/** The proto of 0.3 puts the data of a part into a message of its own. */
function withoutBox(part: DataPart03): DataPart03 {
  const inner = part.data.data;
  return isFields(inner) && Object.keys(part.data).length === 1 ? { ...part, data: inner } : part;
}

function hintOf(value: Record<string, unknown>): string {
  const name = ['raw', 'url'].find((each) => each in value);
  return name === undefined ? '' : `; "${name}" is of version 1.0`;
}

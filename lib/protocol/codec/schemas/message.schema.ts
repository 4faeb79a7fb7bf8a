import type { Message, Part } from '../../types/index.js';
import { ROLES } from '../enums.js';
import { bytes, enumeration, list, message, required, string, struct, text, value } from '../fields.js';
import { defineSchema } from '../schema.js';

export const PartSchema = defineSchema<Part>(
  'Part',
  {
    text: text(),
    raw: bytes(),
    url: text(),
    data: value(),
    metadata: struct(),
    filename: string(),
    mediaType: string(),
  },
  { noun: 'a part', members: ['text', 'raw', 'url', 'data'] },
);

export const MessageSchema = defineSchema<Message>('Message', {
  messageId: required(string()),
  contextId: string(),
  taskId: string(),
  role: required(enumeration(ROLES)),
  parts: required(list(message(PartSchema), { min: 1 })),
  metadata: struct(),
  extensions: list(text()),
  referenceTaskIds: list(text()),
});

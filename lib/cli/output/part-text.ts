import type { Artifact, Message, Part } from '../../protocol/index.js';

/** A part in words: its text, or what it is where it is none. */
export function partText({ text, data, url, raw, filename, mediaType }: Part<Uint8Array>): string {
  if (text !== undefined) return text;
  if (data !== undefined) return JSON.stringify(data);
  const named = [filename, mediaType].filter((value) => value !== undefined && value !== '');
  const what = raw === undefined ? url : `${raw.length} bytes`;
  return `[${[...named, what].join(', ')}]`;
}

/** What a message says, a line for each part. */
export function messageText({ parts }: Message<Uint8Array>): string {
  return parts.map(partText).join('\n');
}

/** What an artifact holds: texts follow one another, since they may be pieces of one; all else gets a line of its own. */
export function artifactText({ parts }: Pick<Artifact<Uint8Array>, 'parts'>): string {
  let written = '';
  for (const part of parts) {
    if (part.text !== undefined) written += part.text;
    else written += `${written === '' || written.endsWith('\n') ? '' : '\n'}${partText(part)}\n`;
  }
  return written;
}

import type { Bytes, Artifact, Message, Part, Task } from '../../protocol/index.js';

/**
 * The text in a message, an artifact or a task, as one string; `''` where there is none.
 *
 * The text parts of a message are joined by line ends, those of an artifact by nothing, since they may be pieces of a
 * stream. A task's text is that of its artifacts, a line end between them, or else that of its status message.
 *
 * @publicApi
 */
export function textOf(from: Message<Bytes> | Artifact<Bytes> | Task<Bytes> | undefined): string {
  if (from === undefined) return '';
  if (!('status' in from)) return textIn(from.parts, 'artifactId' in from ? '' : '\n');
  const artifacts = (from.artifacts ?? []).map(textOf).filter((text) => text !== '');
  return artifacts.length > 0 ? artifacts.join('\n') : textOf(from.status.message);
}

// An agent may leave out what it must not; a text is no reason to fail.
function textIn(parts: readonly Part<Bytes>[] | undefined, between: string): string {
  return (parts ?? []).flatMap(({ text }) => text ?? []).join(between);
}

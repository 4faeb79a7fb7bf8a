import type { AgentCardInput } from './agent-card-input.js';
import { DEFAULT_MODES } from './derive-card.js';

/** Whether a part of this media type may come in. */
export type InputModeMatcher = (mediaType: string) => boolean;

/**
 * The media types that a card accepts, as its author wrote it: its `defaultInputModes` and every skill's
 * `inputModes`. If neither says anything, everything is accepted, whatever the served card fills in.
 *
 * Case and parameters do not count. A bare type (`text`) and its wildcard stand for every subtype.
 */
export function inputModeMatcher(
  card: Pick<AgentCardInput, 'defaultInputModes' | 'skills'>,
): InputModeMatcher {
  const own = card.defaultInputModes ?? [];
  const ofSkills = (card.skills ?? []).flatMap(({ inputModes }) => inputModes ?? []);
  if (own.length + ofSkills.length === 0) return () => true;
  const modes = new Set([...(own.length > 0 ? own : DEFAULT_MODES), ...ofSkills].map(essence));
  if (modes.has('*') || modes.has('*/*')) return () => true;
  return (mediaType) => {
    const wanted = essence(mediaType);
    const type = wanted.split('/', 1)[0] ?? '';
    return modes.has(wanted) || modes.has(type) || modes.has(`${type}/*`);
  };
}

/** A media type in lower case, without parameters. */
function essence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

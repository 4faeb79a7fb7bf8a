import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from './behaviour.js';

/** The text of chunk `i`; load generators read the number between the tildes. */
export function chunkText(i: number): string {
  return `~${String(i).padStart(6, '0')}~ lorem ipsum dolor sit`;
}

/** One artifact in `count` appended chunks, `gap` milliseconds apart or one per turn of the event loop. */
export function chunks(count: number, gap?: number): Step {
  return streamed(count, chunkText, ({ signal }) =>
    gap === undefined ? turnOfTheLoop(signal) : sleep(gap, undefined, { signal }),
  );
}

/** One artifact, one chunk for each of the texts. */
export function chunked(texts: readonly string[]): Step {
  return streamed(
    texts.length,
    (i) => texts[i] ?? '',
    () => Promise.resolve(),
  );
}

// Not that of node:timers/promises: its listener on the signal, one for each chunk, would be a good part of a
// measured stream.
function turnOfTheLoop(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve) => setImmediate(resolve));
}

function streamed(count: number, textOf: (i: number) => string, between: Step): Step {
  return async (context, task) => {
    let artifactId: string | undefined;
    for (let i = 0; i < count; i += 1) {
      await between(context, task);
      const parts = [{ text: textOf(i) }];
      const last = i === count - 1 && { lastChunk: true };
      if (artifactId === undefined) artifactId = await task.addArtifact(parts, { ...last });
      else await task.appendArtifact(artifactId, parts, { ...last });
    }
  };
}

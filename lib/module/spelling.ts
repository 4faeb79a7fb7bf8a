/** How many letters may be wrong, missing or too many. */
const TOLERANCE = 2;

/** The known word that somebody most likely meant, if any comes close. */
export function closest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = TOLERANCE + 1;
  for (const candidate of known) {
    const faults = distance(word.toLowerCase(), candidate.toLowerCase());
    // Of a short word two letters are too much of it.
    if (faults < least && faults * 3 <= candidate.length) [best, least] = [candidate, faults];
  }
  return best;
}

/** Levenshtein's: the letters to change, add or remove. */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = above[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      line.push(Math.min(changed, above[column]! + 1, line[column - 1]! + 1));
    }
    above = line;
  }
  return above[to.length]!;
}

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

/** What is said of an option that is none of `known`. */
export function unknownOption(option: string, known: readonly string[]): string {
  const meant = closest(option, known);
  return meant === undefined ? 'is not an option' : `is not an option; did you mean "${meant}"?`;
}

/** Levenshtein's: the letters to change, add or remove. */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of Array.from(from).entries()) {
    let left = row + 1;
    const line = [left];
    for (const [column, other] of Array.from(to).entries()) {
      const [corner = 0, top = 0] = above.slice(column, column + 2);
      left = Math.min(corner + (letter === other ? 0 : 1), top + 1, left + 1);
      line.push(left);
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}

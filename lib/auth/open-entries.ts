import type { AuthEntry } from './auth-options.js';
import type { WorkingEntry } from './auth-entry.js';
import type { EntryVerifier } from './create-verifier.js';

/** Makes the verifier of an entry at a place such as `auth[1]`. */
export type VerifierFactory = (entry: AuthEntry, place: string) => EntryVerifier;

/** Entries that cannot be set up, such as one whose provider is away when it is needed at start. */
export class EntriesError extends Error {
  override readonly name = 'EntriesError';

  constructor(readonly faults: readonly { readonly entry: string; readonly cause: unknown }[]) {
    super(`Entries that cannot be set up: ${faults.map(({ entry }) => entry).join(', ')}`);
  }
}

const KINDS = ['jwt', 'introspection', 'basic', 'ldap'] as const;

/** Where an entry stands in the options, such as `auth[1].jwt`. */
export function entryName(entry: AuthEntry, index: number): string {
  const kind = KINDS.find((name) => name in entry);
  return kind === undefined ? `auth[${index}]` : `auth[${index}].${kind}`;
}

/**
 * Sets up every entry and tries what it needs.
 *
 * @throws EntriesError naming all that failed; the others are closed again
 */
export async function openEntries(
  entries: readonly AuthEntry[],
  verifierOf: VerifierFactory,
): Promise<WorkingEntry[]> {
  const opened: WorkingEntry[] = [];
  const faults: { entry: string; cause: unknown }[] = [];
  await Promise.all(
    entries.map(async (given, index) => {
      const entry = entryName(given, index);
      try {
        const working = { entry, scopes: given.scopes ?? [], ...verifierOf(given, `auth[${index}]`) };
        opened[index] = working;
        await working.verifier.open?.();
      } catch (cause) {
        faults.push({ entry, cause });
      }
    }),
  );
  if (faults.length === 0) return opened;
  await closeEntries(opened.filter(Boolean));
  throw new EntriesError(faults);
}

/** Lets go of what verifiers hold. */
export async function closeEntries(entries: readonly WorkingEntry[]): Promise<void> {
  await Promise.allSettled(entries.map(async ({ verifier }) => verifier.close?.()));
}

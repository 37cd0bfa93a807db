/**
 * Whether a message that arrives `at` came too early to be the one published at `publishedAt` with that delay; all in
 * milliseconds. It is a duplicate for the same job and is dropped: otherwise a message that was delivered twice would
 * remain two messages for as long as the job waits.
 */
export function isDuplicate(publishedAt: number, { at, delayMs }: { at: number; delayMs: number }): boolean {
  const age = at - publishedAt;
  return age >= 0 && age < delayMs / 2;
}

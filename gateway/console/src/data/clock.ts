/** Smaller differences are the way of an answer. In milliseconds. */
const UNSEEN_MS = 3_000;
/** Answers say whole seconds that have begun: what has just happened is not to come. In milliseconds. */
const SECOND_MS = 1_000;

let aheadMs = 0;

/** Takes the time of an answer of the server: the clock of a computer may be hours off. */
export function heardAt(date: string | null): void {
  const difference = Date.parse(date ?? "") + SECOND_MS - Date.now();
  if (!Number.isNaN(difference)) aheadMs = Math.abs(difference) < UNSEEN_MS ? 0 : difference;
}

/** The time by the server's clock, as far as it is known: what is "now", "today" and "an hour ago". In milliseconds. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}

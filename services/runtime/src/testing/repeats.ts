/** Whether tests run in full, as at night: TEST_REPEATS=all. */
export const IN_FULL = process.env["TEST_REPEATS"] === "all";

const LEAST = 5;

/** How often a test repeats itself that could do so `all` times, such as a property or a race: a tenth, but all in full. */
export function repeats(all: number): number {
  return IN_FULL ? all : Math.min(all, Math.max(LEAST, Math.ceil(all / 10)));
}

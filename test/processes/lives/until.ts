import { setTimeout as sleep } from "node:timers/promises";

const AGAIN_MS = 5;
/** Far more than a life takes on a slow machine; the process then ends with an error. */
const GIVE_UP_MS = 120_000;

/** Resolves once the condition is true; throws, and names what was waited for, if that takes too long. */
export async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`waited too long until ${what}`);
    await sleep(AGAIN_MS);
  }
}

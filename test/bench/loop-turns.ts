import { closeSync, openSync, readSync } from "node:fs";

/**
 * The longest turn of the event loop during some work, in milliseconds of processor time of this thread: unlike the
 * delay of a timer, it does not grow with what else the machine does. NaN without Linux's /proc. The loop never rests
 * meanwhile, so nothing else can be measured.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  const file = openThreadTimes();
  if (file === undefined) return Number.NaN;
  let longest = 0;
  let isOver = false;
  let before = threadMs(file);
  const turn = () => {
    if (isOver) return;
    const now = threadMs(file);
    longest = Math.max(longest, now - before);
    before = now;
    setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    isOver = true;
    closeSync(file);
  }
  return longest;
}

function openThreadTimes(): number | undefined {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  } catch {
    return undefined; // no Linux
  }
}

const TEXT = Buffer.alloc(100);

/** Processor time of the main thread. */
function threadMs(file: number): number {
  const length = readSync(file, TEXT, 0, TEXT.length, 0);
  return Number(TEXT.toString("latin1", 0, length).split(" ", 1)[0]) / 1e6;
}

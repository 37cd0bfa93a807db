import { readdir, readFile } from "node:fs/promises";

/** Limits on the time of a piece of work, in milliseconds. */
export interface TimeLimits {
  /** Processor time of all threads and child processes together. */
  processorMaxMs: number;
  /** Wall-clock time: much more, for work that waits on a busy machine. */
  clockMaxMs: number;
}

/** The exceeded limit: `spent` for processor time, or `late` for wall-clock time while processor time was left. */
export type Overrun = "spent" | "late";

const LOOK_EVERY_MS = 500;

/**
 * Watches the time that a process uses from now on, and reports an overrun once. Returns the function that ends the
 * watch.
 */
export const watchTime = (
  pid: number | undefined,
  { processorMaxMs, clockMaxMs }: TimeLimits,
  onOverrun: (overrun: Overrun) => void,
  measure: (pid: number) => Promise<number | undefined> = processorTimeOf,
): (() => void) => {
  const begun = performance.now();
  let before: number | undefined;
  let over = false;
  const lookEveryMs = Math.min(LOOK_EVERY_MS, clockMaxMs / 4);
  const look = async (): Promise<void> => {
    const used = pid === undefined ? undefined : await measure(pid);
    before ??= used;
    if (over) return;
    const spent = used !== undefined && before !== undefined && used - before > processorMaxMs;
    if (spent || performance.now() - begun > clockMaxMs) {
      over = true;
      onOverrun(spent ? "spent" : "late");
      return;
    }
    timer = setTimeout(() => void look(), lookEveryMs);
  };
  // Most work has ended by then and needs no check.
  let timer = setTimeout(() => void look(), lookEveryMs);
  return () => {
    over = true;
    clearTimeout(timer);
  };
};

/** Unit of the times in /proc, which Linux reports to programs independently of the kernel's own tick. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/<pid>/stat after the name: of the process itself, and of children that it has waited for. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;
const CHILDREN_USER_TIME = 13;
const CHILDREN_SYSTEM_TIME = 14;

/**
 * Processor time in milliseconds that a process and its children, including ended ones, have used so far. Undefined if
 * the system does not report it: outside Linux, or if the process has ended.
 */
const processorTimeOf = async (pid: number): Promise<number | undefined> => {
  const own = await timesOf(pid);
  if (own === undefined) return undefined;
  const children = await Promise.all((await childrenOf(pid)).map(timesOf));
  return [own, ...children].reduce<number>((sum, each) => sum + (each ?? 0), 0);
};

const timesOf = async (pid: number): Promise<number | undefined> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The name before it may contain any characters, including brackets and spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const counted = [USER_TIME, SYSTEM_TIME, CHILDREN_USER_TIME, CHILDREN_SYSTEM_TIME];
    return (counted.reduce((sum, field) => sum + Number(fields[field]), 0) * 1000) / TICKS_PER_SECOND;
  } catch {
    return undefined; // ended, or not Linux
  }
};

const childrenOf = async (pid: number): Promise<number[]> => {
  try {
    const threads = await readdir(`/proc/${pid}/task`);
    const lists = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "latin1")),
    );
    return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
  } catch {
    return []; // ended, or a kernel that does not list them: children it has waited for are counted anyway
  }
};

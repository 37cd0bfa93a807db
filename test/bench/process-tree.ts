import { readdir, readFile } from "node:fs/promises";

/** Resources used so far by the processes that this one started. */
export interface Taken {
  /** Seconds of processor time, including children that have ended. */
  cpuSeconds: number;
  /** The peak memory of the largest of them, in MiB. */
  peakMb: number;
}

/** Clock ticks per second in Linux's processor times, on every platform that Node supports. */
const TICKS = 100;

/** Inspects all running descendants of this process; undefined without /proc. */
export async function descendantsTook(): Promise<Taken | undefined> {
  const processes = await allProcesses();
  if (processes.length === 0) return undefined;
  const family = new Set([process.pid]);
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  const descendants = processes.filter(({ pid }) => pid !== process.pid && family.has(pid));
  const peaks = await Promise.all(descendants.map(({ pid }) => peakOf(pid)));
  return {
    cpuSeconds: processes.reduce((sum, each) => sum + (family.has(each.pid) ? ticksOf(each) : 0), 0) / TICKS,
    peakMb: Math.max(0, ...peaks),
  };
}

/** Processor seconds of a running process so far; NaN without /proc. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const found = (await allProcesses()).find((each) => each.pid === pid);
  return found === undefined ? Number.NaN : found.own / TICKS;
}

interface Process {
  pid: number;
  parent: number;
  /** Ticks of the process itself, and of its children that have ended. */
  own: number;
  ended: number;
}

/** For this process, only the ticks of its children. */
const ticksOf = ({ pid, own, ended }: Process): number => (pid === process.pid ? ended : own + ended);

async function allProcesses(): Promise<Process[]> {
  const names = await readdir("/proc").catch(() => []);
  const stats = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => read(name, "stat")));
  return stats.flatMap((stat) => {
    // The name of the program, in brackets, may contain any characters; numbers follow it, from the third field on.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    const [pid, parent] = [Number.parseInt(stat, 10), Number(fields[1])];
    return Number.isNaN(pid) ? [] : [{ pid, parent, own: user + system, ended: endedUser + endedSystem }];
  });
}

const peakOf = async (pid: number): Promise<number> =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(await read(String(pid), "status"))?.[1] ?? 0) / 1024;

/** Processes may end while they are inspected; the file is empty then. */
const read = (pid: string, name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");

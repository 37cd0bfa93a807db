import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runToEnd, startHourglass, startPart, type ServerProcess } from "./child.js";
import { median, type Measurement } from "./measure.js";
import { descendantsTook } from "./process-tree.js";

/** Alternating with the baseline, so that other work on the machine slows both. */
const ROUNDS = 15;

/** What one start took, in milliseconds. */
interface Start {
  wallMs: number;
  /** Processor time of the process and of its threads and children; undefined without /proc. */
  cpuMs: number | undefined;
}

interface Subject {
  name: string;
  target: string;
  /** Resolves with the wall time of a start, once its processor time has been read. */
  start(readCpu: () => Promise<void>): Promise<number>;
}

const ADMIN = "services/standalone/dist/admin/main.js";
const SECRET = "bench-service-secret";

/** Times from spawn to ready, or to the end of a command, as multiples of those of `node -e 0`. */
export async function measureColdStart(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-bench-start-"));
  try {
    await (await startHourglass({ DATA_DIR: dataDir })).close(); // creates the database
    const subjects = subjectsOn(dataDir);
    const rounds: { bare: Start; starts: Start[] }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bare = await measured({ start: () => runToEnd(["-e", "0"]) });
      const starts: Start[] = [];
      for (const subject of subjects) starts.push(await measured(subject));
      rounds.push({ bare, starts });
    }
    return subjects.map(({ name, target }, index) => {
      const pairs = rounds.flatMap(({ bare, starts }) =>
        starts.slice(index, index + 1).map((start) => ({ bare, start })),
      );
      return toMeasurement({ name, target }, pairs);
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function subjectsOn(dataDir: string): Subject[] {
  const env = { DATA_DIR: dataDir, LOG_LEVEL: "warn", SERVICE_SECRET: SECRET, GRPC_PORT: "0" };
  const server = (name: string, open: () => Promise<ServerProcess>): Subject => ({
    name: `cold start, ${name} ÷ bare node`,
    target: "≤ 8.00",
    start: async (readCpu) => {
      const started = await open();
      await readCpu();
      await started.close();
      return started.startMs;
    },
  });
  const command = (...words: string[]): Subject => ({
    name: `admin command ${words.join(" ")} ÷ bare node`,
    target: "≤ 6.00",
    start: () => runToEnd([ADMIN, ...words], env),
  });
  const part = (name: string, entry: string, probe = "/readyz") =>
    server(`separate process ${name}`, () => startPart(entry, probe, { ...env, PORT: "0" }));
  return [
    server("one process", () => startHourglass({ DATA_DIR: dataDir })),
    server("one process on an empty folder", () => startHourglass()),
    command("--help"),
    command("company", "list"),
    command("jobs", "dead"),
    // Ready only with Auth, which runs elsewhere.
    part("gateway", "gateway/dist/server.js", "/healthz"),
    ...["auth", "media", "operation", "insight", "export"].map((name) => part(name, `services/${name}/dist/server.js`)),
    part("worker", "services/worker/dist/main.js"),
  ];
}

async function measured({ start }: Pick<Subject, "start">): Promise<Start> {
  const before = await cpuMs();
  let after: number | undefined;
  const wallMs = await start(async () => {
    after = await cpuMs();
  });
  after ??= await cpuMs();
  return { wallMs, cpuMs: before === undefined || after === undefined ? undefined : after - before };
}

async function cpuMs(): Promise<number | undefined> {
  const taken = await descendantsTook();
  return taken && taken.cpuSeconds * 1000;
}

function toMeasurement(
  { name, target }: Pick<Subject, "name" | "target">,
  pairs: readonly { bare: Start; start: Start }[],
): Measurement {
  const told = (starts: readonly Start[]) =>
    `${Math.round(median(starts.map(({ wallMs }) => wallMs)))} ms, processor ${meanCpu(starts)} ms`;
  return {
    name,
    value: told(pairs.map(({ start }) => start)),
    baseline: told(pairs.map(({ bare }) => bare)),
    ratio: median(pairs.map(({ bare, start }) => start.wallMs / bare.wallMs)),
    target,
  };
}

/** The mean, because the system counts in steps of 10 ms. */
function meanCpu(starts: readonly Start[]): string {
  const total = starts.reduce((sum, { cpuMs: ms }) => sum + (ms ?? Number.NaN), 0);
  return Number.isNaN(total) ? "unknown" : String(Math.round(total / starts.length));
}

import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable, rootReason } from "../errors/app-error.js";
import type { Logger } from "../log.js";

/** The state of each dependency, and whether the process can work. */
interface Readiness {
  ready: boolean;
  /** By name; `state` is `ready` or one word for the problem. */
  dependencies: Record<string, { state: string }>;
}

/** Overall status of `/readyz`. */
type ReadinessStatus = "ready" | "degraded" | "not_ready" | "stopping";

/** Name of the disk of the data folder among the dependencies; its state is `ready` or `full`. */
export const DISK = "disk";

/** What an operator has to repair. A part that was never installed is none of these: an installation without it is whole. */
const LACKING = new Set(["away", "full"]);

/** What `/readyz` says of the optional parts that are missing, such as the model for speech; nothing if none is. */
export function missingParts({ dependencies }: Readiness): { parts?: Readiness["dependencies"] } {
  const missing = Object.entries(dependencies).filter(([, { state }]) => state === "missing");
  return missing.length === 0 ? {} : { parts: Object.fromEntries(missing) };
}

/** The overall status. A stopping or not ready process does no work; a degraded one does some. */
export function statusOf({ ready, dependencies }: Readiness, stopping: boolean): ReadinessStatus {
  if (stopping) return "stopping";
  if (!ready) return "not_ready";
  const lacking = Object.values(dependencies).some(({ state }) => LACKING.has(state));
  return lacking ? "degraded" : "ready";
}

/** Whether a process with that status accepts new work. */
export function isServing(status: ReadinessStatus): boolean {
  return status === "ready" || status === "degraded";
}

/** Resolves if the dependency answers. */
export type Ping = () => Promise<void>;
/** Reads states that are at hand. */
type ReadStates = () => Readiness["dependencies"] | Promise<Readiness["dependencies"]>;
export type ReadReadiness = () => Promise<Readiness>;

/** A dependency that does not answer within this time is unavailable, in milliseconds. */
const PING_TIMEOUT_MS = 2000;

/** The dependencies of a process, checked on every readiness query. */
export class Dependencies {
  private readonly pings: { name: string; ping: Ping; needed: boolean }[] = [];
  private readonly known: ReadStates[] = [];
  private started = false;

  /** Adds a dependency that is required for any work. */
  need(name: string, ping: Ping): void {
    this.pings.push({ name, ping, needed: true });
  }

  /** Adds a dependency that is required for only part of the work: its state is only reported. */
  want(name: string, ping: Ping): void {
    this.pings.push({ name, ping, needed: false });
  }

  /** Adds states that are known without a check, for example which models are loaded. */
  know(read: ReadStates): void {
    this.known.push(read);
  }

  /** Marks the process as fully built; until then it is not ready. */
  setStarted(): void {
    this.started = true;
  }

  readonly read: ReadReadiness = async () => {
    const checks = await this.check();
    const ready = this.started && checks.every(({ needed, state }) => !needed || state === "ready");
    const states = checks.map(({ name, state }) => [name, { state }] as const);
    const known = await this.knownStates();
    const process = this.started ? [] : [["process", { state: "starting" }] as const];
    return { ready, dependencies: Object.fromEntries([...process, ...states, ...known]) };
  };

  /** Whether each dependency answers, by name. */
  async areUp(): Promise<ReadonlyMap<string, boolean>> {
    return new Map((await this.check()).map(({ name, state }) => [name, state === "ready"]));
  }

  /** Whether the disk of the data folder is full; undefined without one. */
  async isDiskFull(): Promise<boolean | undefined> {
    const state = new Map(await this.knownStates()).get(DISK)?.state;
    return state === undefined ? undefined : state === "full";
  }

  private async knownStates(): Promise<[string, { state: string }][]> {
    return (await Promise.all(this.known.map(async (read) => read()))).flatMap((states) => Object.entries(states));
  }

  private check(): Promise<{ name: string; needed: boolean; state: "ready" | "away" }[]> {
    return Promise.all(
      this.pings.map(async ({ name, needed, ping }) => ({ name, needed, state: await stateOf(ping) })),
    );
  }
}

/** The reason of an outage is not reported to network clients. */
async function stateOf(ping: Ping): Promise<"ready" | "away"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"away">((resolve) => {
    timer = setTimeout(resolve, PING_TIMEOUT_MS, "away");
  });
  const answered = ping().then(
    () => "ready" as const,
    () => "away" as const,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface UntilAvailableOptions {
  /** Name of the dependency for the operator, for example `MongoDB`. */
  what: string;
  log: Logger;
  /** Ends the wait; the promise then rejects with its reason. */
  signal: AbortSignal;
  /** The first pause, in milliseconds; doubles up to 10 s. */
  firstPauseMs?: number;
}

const PAUSE_MAX_MS = 10_000;

/**
 * Runs the work, and retries it while it fails as `unavailable`: a process waits for a dependency that is unavailable
 * at its start, because a restart would not help. Any other failure is thrown.
 */
export async function untilAvailable<T>(work: () => Promise<T>, options: UntilAvailableOptions): Promise<T> {
  const { what, log, signal, firstPauseMs = 500 } = options;
  for (let pauseMs = firstPauseMs, warned = false; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS), warned = true) {
    signal.throwIfAborted();
    try {
      const result = await work();
      if (warned) log.info(`${what} is available, the start continues`);
      return result;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      signal.throwIfAborted();
      log.warn({ reason: rootReason(error), againInMs: pauseMs }, `${what} cannot be reached, trying again`);
    }
    // If the signal ends the pause, the next iteration throws its reason.
    await sleep(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}

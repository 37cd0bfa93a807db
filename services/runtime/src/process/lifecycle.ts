import type { Logger } from "../log.js";
import type { Stoppable } from "./repetition.js";

/** Stops a part of the process within `graceMs` milliseconds. */
type Stop = (graceMs: number) => Promise<void> | void;

interface Part {
  name: string;
  stop: Stop;
}

interface Entrance extends Part {
  leave: Leave;
}

/** Tells everybody who asks that the port closes soon; whether somebody used it lately. */
type Leave = () => boolean;

/**
 * The parts of a running process. Entrances, through which work arrives from outside, stop first; then the background
 * work, such as roles and relays; then the parts that these use, in the reverse of their start, one after another.
 * Entrances stop side by side, and so does work, so that one slow drain does not use up the time of the others. All
 * share one grace period; where there is work to hand back, requests in progress get half of it.
 */
export class Lifecycle {
  private readonly parts: Part[] = [];
  private readonly entrances: Entrance[] = [];
  private readonly work: Part[] = [];
  private readonly controller = new AbortController();
  private stopping: Promise<void> | undefined;

  constructor(private readonly log: Logger) {}

  /** Aborted when stopping begins, to end all waits. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Registers background work that has just been started. */
  addWork(name: string, stop: Stop): void {
    this.work.push({ name, stop });
  }

  /** Registers a part that has just been started. */
  add(name: string, stop: Stop): void {
    this.parts.push({ name, stop });
  }

  /** Registers a port that may be open before the parts behind it exist. */
  addEntrance(name: string, stop: Stop, leave: Leave = () => false): void {
    this.entrances.push({ name, stop, leave });
  }

  /**
   * Says at all ports that they close soon, while they still accept: a load balancer needs a moment to see it, and would send
   * requests to a closed port otherwise. Returns whether somebody used them lately.
   */
  leave(): boolean {
    return this.entrances.map(({ leave }) => leave()).some((isUsed) => isUsed);
  }

  /** Stops all parts; further calls have no effect. A failure of one part is logged and does not affect the others. */
  stop(graceMs: number): Promise<void> {
    this.stopping ??= this.stopAll(Date.now() + graceMs);
    return this.stopping;
  }

  private async stopAll(deadline: number): Promise<void> {
    this.controller.abort(new Error("the process is stopping"));
    const entrancesBy = this.work.length === 0 ? deadline : (Date.now() + deadline) / 2;
    await Promise.all(this.entrances.map((part) => this.stopPart(part, entrancesBy)));
    await Promise.all(this.work.map((part) => this.stopPart(part, deadline)));
    for (const part of this.parts.reverse()) await this.stopPart(part, deadline);
  }

  private async stopPart({ name, stop }: Part, deadline: number): Promise<void> {
    const startedAt = performance.now();
    try {
      await stop(Math.max(0, deadline - Date.now()));
    } catch (error) {
      this.log.error({ err: error, part: name }, "part did not stop cleanly");
    }
    this.log.debug({ part: name, ms: Math.round(performance.now() - startedAt) }, "part stopped");
  }
}

/** A kind of background work exported by a service. A process runs the roles listed in WORKER_ROLES. */
export interface WorkerRole<Service> {
  /** Its name in WORKER_ROLES: service and activity, for example `operation.run`. */
  readonly role: string;
  /** Starts the work on the built service. */
  start(service: Service): Stoppable;
}

/** The roles that a process runs, and the lifecycle that stops them. */
interface RoleSelection {
  readonly wanted: readonly string[];
  readonly lifecycle: Pick<Lifecycle, "addWork">;
}

/** Starts the selected roles of a service; the lifecycle stops them. */
export function startRoles<Service>(
  roles: readonly WorkerRole<Service>[],
  service: Service,
  { wanted, lifecycle }: RoleSelection,
): void {
  for (const each of roles) {
    if (!wanted.includes(each.role)) continue;
    const work = each.start(service);
    lifecycle.addWork(each.role, (graceMs) => work.stop(graceMs));
  }
}

/** Time limit of a drain; about as long as orchestrators and users wait. */
const GRACE_MS = 9_000;
/** How long ports that are in use accept requests after they have said that they close. */
const LEAVING_MS = 1500;
/** Under `npm start`, one Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_SIGNAL_MS = 1000;

/**
 * Stops the process gracefully on SIGTERM and SIGINT, with exit code 0. A second signal, or a drain that hangs, ends it
 * at once with exit code 1. So does an uncaught error: the state is unknown, and accepted work is stored.
 */
export function stopOnSignals(lifecycle: Lifecycle, log: Logger): void {
  let signaledAt: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (signaledAt !== undefined) {
      if (performance.now() - signaledAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    signaledAt = performance.now();
    log.info({ signal }, "stopping");
    setTimeout(() => process.exit(1), GRACE_MS + 500).unref();
    const leavingMs = lifecycle.leave() && signal === "SIGTERM" ? LEAVING_MS : 0;
    setTimeout(() => {
      void lifecycle.stop(GRACE_MS - leavingMs).then(() => {
        log.info("stopped");
        process.exit(0);
      });
    }, leavingMs);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  const crash = (error: unknown) => {
    log.fatal({ err: error }, "unexpected error, the process ends");
    process.exit(1);
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
}

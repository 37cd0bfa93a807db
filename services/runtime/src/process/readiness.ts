/** How each thing that is needed for the work does, and whether work can be done now. */
export interface Readiness {
  ready: boolean;
  /** By name; `state` is `ready` or says in a word what is wrong. */
  dependencies: Record<string, { state: string }>;
}

/** What `/readyz` says in a word. */
export type ReadinessStatus = "ready" | "degraded" | "not_ready" | "stopping";

/** Readiness in a word. A process that stops, or waits for what it needs, does no work; a degraded one only some. */
export function statusOf({ ready, dependencies }: Readiness, stopping: boolean): ReadinessStatus {
  if (stopping) return "stopping";
  if (!ready) return "not_ready";
  const lacking = Object.values(dependencies).some(({ state }) => state === "away" || state === "missing");
  return lacking ? "degraded" : "ready";
}

/** Whether a process of that status takes new work. */
export function isServing(status: ReadinessStatus): boolean {
  return status === "ready" || status === "degraded";
}

/** Resolves when the dependency answers. */
export type Ping = () => Promise<void>;
export type ReadReadiness = () => Promise<Readiness>;

/** A dependency that does not answer for so long is away, in milliseconds. */
const PING_TIMEOUT_MS = 2000;

/** What a process depends on, asked whenever somebody wants to know. */
export class Dependencies {
  private readonly pings: { name: string; ping: Ping; needed: boolean }[] = [];
  private readonly models: (() => Readiness["dependencies"])[] = [];
  private started = false;

  /** Adds one without which no work can be done. */
  need(name: string, ping: Ping): void {
    this.pings.push({ name, ping, needed: true });
  }

  /** Adds one without which some of the work can be done: its state is told, and no more. */
  want(name: string, ping: Ping): void {
    this.pings.push({ name, ping, needed: false });
  }

  /** Adds states that are known without asking, such as which models are loaded. */
  know(read: () => Readiness["dependencies"]): void {
    this.models.push(read);
  }

  /** Says that the process has built what it consists of; until then it is not ready. */
  setStarted(): void {
    this.started = true;
  }

  readonly read: ReadReadiness = async () => {
    const states = await Promise.all(this.pings.map(({ ping }) => stateOf(ping)));
    const ready = this.started && this.pings.every(({ needed }, index) => !needed || states[index] === "ready");
    const asked = this.pings.map(({ name }, index) => [name, { state: states[index] ?? "away" }] as const);
    const known = this.models.flatMap((read) => Object.entries(read()));
    const process = this.started ? [] : [["process", { state: "starting" }] as const];
    return { ready, dependencies: Object.fromEntries([...process, ...asked, ...known]) };
  };
}

/** Why it is away is the log's business, not that of whoever asks over the network. */
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

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { endWithUs } from "./end-with-us.js";
import { LIMITS } from "./limits.js";

/** The end of a part's life. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A line of a part's log. */
export interface LogEntry {
  level: string;
  msg: string;
  operationId?: number;
  exportId?: number;
}

export interface PartOptions {
  name: string;
  /** The entry file. */
  entry: string;
  env: Readonly<Record<string, string>>;
  /** URL of its `/readyz`. */
  opsUrl: string;
  onLog: (entry: LogEntry, line: string) => void;
}

const OUTPUT_LINES_MAX = 50;

/** One process of the product, which can be ended in several ways and restarted with the same settings. */
export class Part {
  private child: ChildProcess | undefined;
  private exit: Promise<Exit> = Promise.resolve({ code: 0, signal: null });
  private readonly output: string[] = [];

  constructor(private readonly options: PartOptions) {
    endWithUs(() => this.child?.kill("SIGKILL"));
  }

  get name(): string {
    return this.options.name;
  }

  /** URL of its `/readyz` and `/metrics`. */
  get opsUrl(): string {
    return this.options.opsUrl;
  }

  /** Of its current life; 0 before the first. */
  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** Its last output lines, at most fifty, over all lives. */
  get lastLines(): readonly string[] {
    return this.output;
  }

  get isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** Starts a life; `env` is for this one only. */
  start(env: Readonly<Record<string, string>> = {}): void {
    if (this.isRunning) throw new Error(`${this.name} is running`);
    const child = spawn(process.execPath, [this.options.entry], {
      stdio: ["ignore", "pipe", "pipe"],
      // The tests' own environment must not reach the product.
      env: { ...this.options.env, ...env },
    });
    this.child = child;
    this.exit = new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => this.read(line));
    }
  }

  /** Resolves when it is ready. */
  async ready(): Promise<void> {
    const giveUpAt = performance.now() + LIMITS.condition * 2;
    while (!(await this.isReady())) {
      if (!this.isRunning) throw new Error(`${this.name} ended while it started:\n${this.output.join("\n")}`);
      if (performance.now() > giveUpAt) throw new Error(`${this.name} is not ready:\n${this.output.join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Whether it currently reports to be ready. */
  async isReady(): Promise<boolean> {
    const state = await readiness(this.options.opsUrl);
    return state !== undefined;
  }

  /** Ends this life by the signal, unless it has already ended. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<Exit> {
    this.child?.kill(signal);
    return this.exit;
  }

  /** Waits until this life ends by itself; undefined if it does not within `timeoutMs`. */
  async ended(timeoutMs: number): Promise<Exit | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), timeoutMs)));
    const exit = await Promise.race([this.exit, late]);
    clearTimeout(timer);
    return exit;
  }

  /** Sends a signal that does not end it. */
  signal(signal: "SIGUSR2"): void {
    this.child?.kill(signal);
  }

  /** Suspends it, with open connections and overdue timers. */
  freeze(): void {
    this.child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.child?.kill("SIGCONT");
  }

  private read(line: string): void {
    this.output.push(line);
    if (this.output.length > OUTPUT_LINES_MAX) this.output.shift();
    if (line.startsWith("{")) this.options.onLog(JSON.parse(line) as LogEntry, line);
  }
}

/** The states of the dependencies of the process at `url` if it is ready; otherwise undefined. */
export async function readiness(url: string): Promise<Record<string, { state: string }> | undefined> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3000) });
    const { dependencies } = (await response.json()) as { dependencies: Record<string, { state: string }> };
    return response.status === 200 ? dependencies : undefined;
  } catch {
    return undefined; // it does not listen, or it is suspended
  }
}

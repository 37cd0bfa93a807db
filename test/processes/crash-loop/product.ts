import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { EMAIL, PASSWORD } from "../../support/server.js";

/** Where `npm start` begins, as built. */
const MAIN = path.join(path.dirname(createRequire(import.meta.url).resolve("@hourglass/standalone")), "main.js");
const READY_WITHIN_MS = 20_000;

/** How a life of the product ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The whole product in a process of its own that can be killed and started again on the same data. */
export class Product {
  readonly url: string;
  /** Endings that the log tells of, over all lives: operation id to how often. */
  readonly endings = new Map<number, number>();
  /** Log lines of level error and above, which nobody expects. */
  readonly errors: string[] = [];
  private child: ChildProcess | undefined;
  private exit: Promise<Exit> = Promise.resolve({ code: 0, signal: null });

  private constructor(
    private readonly dataDir: string,
    private readonly port: number,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    // A run that is broken off must not leave a server behind.
    process.once("exit", () => this.child?.kill("SIGKILL"));
  }

  static async prepare(dataDir: string): Promise<Product> {
    return new Product(dataDir, await freePort());
  }

  /** Starts a life; `failpoints` as in the variable of that name. */
  start(failpoints = ""): void {
    const child = spawn(process.execPath, [MAIN], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...ENVIRONMENT, DATA_DIR: this.dataDir, PORT: String(this.port), FAILPOINTS: failpoints },
    });
    this.child = child;
    this.exit = new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
    createInterface({ input: child.stdout }).on("line", (line) => this.read(line));
  }

  /** Resolves when it answers. */
  async ready(): Promise<void> {
    const giveUpAt = performance.now() + READY_WITHIN_MS;
    while (performance.now() < giveUpAt) {
      if (this.hasEnded()) throw new Error("the product ended while it started");
      const response = await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`not ready within ${READY_WITHIN_MS} ms`);
  }

  /** Ends this life by the signal, unless it has ended already. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<Exit> {
    this.child?.kill(signal);
    return this.exit;
  }

  /** Waits until this life ends of its own accord; nothing when it does not within `timeoutMs`. */
  async ended(timeoutMs: number): Promise<Exit | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), timeoutMs)));
    const exit = await Promise.race([this.exit, late]);
    clearTimeout(timer);
    return exit;
  }

  private hasEnded(): boolean {
    return this.child?.exitCode !== null || this.child.signalCode !== null;
  }

  private read(line: string): void {
    if (!line.startsWith("{")) return;
    const entry = JSON.parse(line) as { level: string; msg: string; operationId?: number };
    if (entry.level === "error" || entry.level === "fatal") this.errors.push(line);
    if (entry.msg !== "operation ended" || entry.operationId === undefined) return;
    this.endings.set(entry.operationId, (this.endings.get(entry.operationId) ?? 0) + 1);
  }
}

/** Nothing of the environment of the tests may reach the product. */
const ENVIRONMENT = {
  NODE_ENV: "test",
  LOG_LEVEL: "info",
  LEASE_SECONDS: "1",
  ANALYSIS_THREADS: "1",
  RATE_LIMIT_PER_MINUTE: "0",
  SIGN_IN_ATTEMPTS_PER_MINUTE: "0",
  BOOTSTRAP_EMAIL: EMAIL,
  BOOTSTRAP_PASSWORD: PASSWORD,
};

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DemoError } from "./options.js";

const ENTRY = fileURLToPath(new URL("../../standalone/dist/main.js", import.meta.url));
const POLL_MS = 100;
const LOG_LINES = 5;

/**
 * What the product gets of the environment: nothing that leads to other data, or to platforms that are not fakes, only what
 * programs need, and settings of analyses, logs and limits of requests.
 */
const PASSED_ON =
  /^(PATH|HOME|TMPDIR|TMP|TEMP|LANG|LC_\w+|TZ|SYSTEMROOT|NODE_OPTIONS|ENGINE_\w+|MODEL_\w+|MODELS_DIR|ANALYSIS_THREADS|LOG_LEVEL|FFMPEG_PATH|RATE_LIMIT_PER_MINUTE|SIGN_IN_ATTEMPTS_PER_MINUTE)$/i;

interface ProductOptions {
  readonly port: number;
  /** For its data and its log. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** The product as a process. */
export class Product {
  readonly url: string;
  private readonly exit: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    port: number,
    /** File of its log. */
    readonly logFile: string,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    this.exit = new Promise((resolve) => child.once("close", () => resolve()));
  }

  static start({ port, folder, settings }: ProductOptions): Product {
    const logFile = path.join(folder, "hourglass.log");
    const log = openSync(logFile, "a");
    const own = { HOST: "127.0.0.1", PORT: String(port), GRPC_PORT: "0", DATA_DIR: path.join(folder, "data") };
    const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
    const child = spawn(process.execPath, [ENTRY], {
      stdio: ["ignore", log, log],
      // In another process group: Ctrl-C would otherwise reach it twice, and a second signal ends it at once.
      detached: true,
      env: { ...Object.fromEntries(passed), ...settings, ...own },
    });
    closeSync(log);
    return new Product(child, port, logFile);
  }

  /** Resolves when it is ready. Throws DemoError if it ends before. */
  async ready(signal: AbortSignal): Promise<void> {
    while (!(await this.isReady())) {
      if (!this.isRunning) throw new DemoError(`The server ended:\n${await this.lastLines()}`);
      await sleep(POLL_MS, undefined, { signal });
    }
  }

  /** Resolves when it has ended, by itself or because it was stopped. */
  ended(): Promise<void> {
    return this.exit;
  }

  /** The end of its log. */
  async lastLines(): Promise<string> {
    const text = await readFile(this.logFile, "utf8").catch(() => "");
    return text.trimEnd().split("\n").slice(-LOG_LINES).join("\n");
  }

  async stop(): Promise<void> {
    if (this.isRunning) this.child.kill("SIGTERM");
    await this.exit;
  }

  /** Ends it at once, where there is no time to wait. */
  kill(): void {
    if (this.isRunning) this.child.kill("SIGKILL");
  }

  private get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  private async isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/readyz`).catch(() => undefined);
    await response?.body?.cancel();
    return response?.ok === true;
  }
}

/** The wanted port of the loopback address if nothing listens there, otherwise a free one. */
export async function freePort(wanted: number): Promise<number> {
  return (await tryPort(wanted)) ?? (await tryPort(0)) ?? wanted;
}

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return undefined;
  }
  const { port: found } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return found;
}

/** Where the demo keeps its data. */
interface DataFolder {
  readonly path: string;
  /** Removes it, if it is temporary. */
  end(): Promise<void>;
}

/** Makes the folder. Throws DemoError for one that holds something, which might be real data. */
export async function openDataFolder(wanted: string | undefined): Promise<DataFolder> {
  if (wanted === undefined) {
    const made = await mkdtemp(path.join(tmpdir(), "hourglass-demo-"));
    return { path: made, end: () => rm(made, { recursive: true, force: true }) };
  }
  const folder = path.resolve(wanted);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new DemoError(`${folder} is not empty. The demo needs an empty one: name another one, or none.`);
  }
  return { path: folder, end: () => Promise.resolve() };
}

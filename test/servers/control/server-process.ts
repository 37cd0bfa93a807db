import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { endWithUs } from "../../support/end-with-us.js";

export interface ServerCommand {
  /** Name of the server in failures. */
  name: string;
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The server is ready when this port of the loopback interface accepts connections. */
  port: number;
}

const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 20_000;
const ABORTED_WITHIN_MS = 5_000;
const OUTPUT_CHARACTERS_MAX = 20_000;

/** A server with all its child processes, which can be stopped, killed, frozen and restarted together. */
export class ServerProcess {
  private child: ChildProcess | undefined;
  private output = "";

  constructor(private readonly command: ServerCommand) {
    endWithUs(() => this.signal("SIGKILL"));
  }

  /** Starts it and waits until it listens. Failures contain its output. */
  async start(): Promise<void> {
    const { name, file, args, env } = this.command;
    const child = spawn(file, args, {
      // A separate process group, so that signals also reach its children.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });
    this.child = child;
    this.output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.output = (this.output + text).slice(-OUTPUT_CHARACTERS_MAX);
      });
    }
    let failure: Error | undefined;
    child.once("error", (error) => (failure = error));
    const giveUpAt = performance.now() + READY_WITHIN_MS;
    while (!(await listens(this.command.port))) {
      if (failure !== undefined) throw failure;
      if (!this.isRunning) throw new Error(`${name} ended while it started:\n${this.output}`);
      if (performance.now() > giveUpAt) throw new Error(`${name} does not listen:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  get isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** Asks it to end, and kills it if it does not. */
  async stop(): Promise<void> {
    this.thaw();
    const timer = setTimeout(() => this.signal("SIGKILL"), STOPPED_WITHIN_MS);
    await this.end("SIGTERM");
    clearTimeout(timer);
  }

  /** Makes it print its stacks, if it can, and end; returns the end of its output. */
  async abort(): Promise<string> {
    const timer = setTimeout(() => this.signal("SIGKILL"), ABORTED_WITHIN_MS);
    const ended = this.end("SIGABRT");
    this.thaw();
    await ended;
    clearTimeout(timer);
    return this.output;
  }

  /** Kills it; returns when none of its processes are running. */
  async kill9(): Promise<void> {
    await this.end("SIGKILL");
  }

  /** Suspends it with open connections: a peer that is neither available nor gone. */
  freeze(): void {
    this.signal("SIGSTOP");
  }

  thaw(): void {
    this.signal("SIGCONT");
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child === undefined || !this.isRunning) return;
    const closed = once(this.child, "close");
    this.signal(signal);
    await closed;
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.child?.pid === undefined || !this.isRunning) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // already ended
    }
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
  });
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { freePort } from "../../support/free-port.js";
import { installed } from "./installed.js";
import { ServerProcess } from "./server-process.js";

/** A server that answers no write for this long is considered hung, in milliseconds. */
const SILENT_MS = 20_000;
/** Time within which this server has read what a killed client had sent, in milliseconds. */
const TRANSACTIONS_END_AGAIN_MS = 5_000;

/** A SecantusDB, which implements MongoDB's protocol, with its own port and data. */
export class Secantus {
  private constructor(
    /** Like MONGODB_URL, without a database. */
    readonly url: string,
    readonly port: number,
    private readonly folder: string,
    private readonly server: ServerProcess,
  ) {}

  private readonly watch = new AbortController();
  private watching: Promise<void> | undefined;
  private readonly ending = new Set<Promise<void>>();

  /** Starts a server without any data; takes about a second. */
  static async start(): Promise<Secantus> {
    const folder = await mkdtemp(path.join(tmpdir(), "hourglass-secantus-"));
    const port = await freePort();
    const options = {
      "--host": "127.0.0.1",
      "--port": String(port),
      "--storage-path": folder,
      "--log-level": "WARNING",
    };
    const server = new ServerProcess({
      name: "SecantusDB",
      file: installed("SECANTUS_SERVER"),
      args: Object.entries(options).flat(),
      // On SIGABRT, Python prints the stack of each thread.
      env: { HOME: folder, PYTHONFAULTHANDLER: "1" },
      port,
    });
    await server.start();
    return new Secantus(mongodbUrl(port), port, folder, server);
  }

  /** Restarts it on the same data. */
  async startAgain(): Promise<void> {
    await this.server.start();
  }

  async kill9(): Promise<void> {
    await this.server.kill9();
  }

  /**
   * Ends all open transactions, as MongoDB does by itself some time after a client was killed inside one: this server keeps
   * what they had written locked for a minute. Clients that live repeat theirs. It does so once more after a while, since a
   * command that the killed client had already sent can begin another transaction; but at no interval, because on a slow
   * machine no long transaction would come to its end.
   */
  async endTransactions(againAfterMs = TRANSACTIONS_END_AGAIN_MS): Promise<void> {
    await this.abortTransactions();
    const ending = this.abortAfter(againAfterMs).finally(() => this.ending.delete(ending));
    this.ending.add(ending);
  }

  private async abortAfter(ms: number): Promise<void> {
    const passed = await delay(ms, true, { signal: this.watch.signal }).catch(() => false);
    if (passed) await this.abortTransactions().catch(() => undefined); // a server that is down has no transactions
  }

  private async abortTransactions(): Promise<void> {
    const client = new MongoClient(this.url);
    try {
      await client.db("admin").command({ killAllSessions: [] });
    } finally {
      await client.close();
    }
  }

  freeze(): void {
    this.server.freeze();
  }

  thaw(): void {
    this.server.thaw();
  }

  /**
   * From now on, whenever it has died or has not answered for `silentMs`, restarts it on its data and prints the stacks
   * of its threads on stderr. For servers shared by many tests: version 0.7.0b3 can hang permanently (see
   * `dropDatabase` in test/support), and every later test would fail.
   */
  supervise(silentMs = SILENT_MS): void {
    this.watching ??= this.restartWhenSilent(silentMs);
  }

  private async restartWhenSilent(silentMs: number): Promise<void> {
    // Two checks in a row, so that a machine that was itself suspended does not make the server look hung.
    const waitMs = silentMs / 2;
    const client = new MongoClient(this.url, { serverSelectionTimeoutMS: waitMs });
    const beats = client.db("supervisor").collection("beats");
    const answers = () =>
      beats.updateOne({}, { $inc: { count: 1 } }, { upsert: true }).then(
        () => true,
        () => false,
      );
    const { signal } = this.watch;
    const removed = () => signal.aborted;
    let missed = 0;
    while (!removed()) {
      // A refusal gets the same time as silence: a broken connection does not mean that the server hangs.
      const overdue = delay(waitMs, false);
      missed = (await Promise.race([answers(), overdue])) || (await overdue) ? 0 : missed + 1;
      if (!removed() && (missed >= 2 || !this.server.isRunning)) {
        const output = await this.server.abort();
        process.stderr.write(`SecantusDB did not answer and is started again. The last it printed:\n${output}\n`);
        await this.server.start().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
        missed = 0;
      }
      await delay(waitMs / 10, undefined, { signal }).catch(() => undefined);
    }
    await client.close();
  }

  /** Ends it and removes its data. */
  async remove(): Promise<void> {
    this.watch.abort();
    await Promise.all([this.watching, ...this.ending]);
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The URL of a database server at a port of the loopback interface, with or without a proxy in between. */
export function mongodbUrl(port: number): string {
  // Without it the driver would follow the address that the server reports, bypassing a proxy.
  return `mongodb://127.0.0.1:${port}/?directConnection=true`;
}

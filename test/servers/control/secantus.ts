import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../../support/free-port.js";
import { installed } from "./installed.js";
import { ServerProcess } from "./server-process.js";

/** A SecantusDB, which speaks MongoDB's protocol, on a port and data of its own. */
export class Secantus {
  private constructor(
    /** As in MONGODB_URL, without a database. */
    readonly url: string,
    readonly port: number,
    private readonly folder: string,
    private readonly server: ServerProcess,
  ) {}

  /** Starts one without any data; takes about a second. */
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
      env: { HOME: folder },
      port,
    });
    await server.start();
    return new Secantus(mongodbUrl(port), port, folder, server);
  }

  /** Starts it again on the same data. */
  async startAgain(): Promise<void> {
    await this.server.start();
  }

  async kill9(): Promise<void> {
    await this.server.kill9();
  }

  freeze(): void {
    this.server.freeze();
  }

  thaw(): void {
    this.server.thaw();
  }

  /** Ends it and removes its data. */
  async remove(): Promise<void> {
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The URL of a database server at that port of the loopback interface; a proxy stands before it or not. */
export function mongodbUrl(port: number): string {
  // Without it the driver would follow the address that the server gives of itself, past a proxy.
  return `mongodb://127.0.0.1:${port}/?directConnection=true`;
}

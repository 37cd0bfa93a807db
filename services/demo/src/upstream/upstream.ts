import type { Reply, UpstreamRequest } from "./exchange.js";
import type { Fault } from "./fault.js";
import { UpstreamServer } from "./upstream-server.js";

/** A fake of a platform: a loopback server whose requests a subclass answers. */
export abstract class Upstream {
  private server: UpstreamServer | undefined;

  /** Such as `http://127.0.0.1:40001`. */
  get origin(): string {
    return this.running.origin;
  }

  /** Every request, oldest first, those included that got a fault. */
  get seen(): readonly UpstreamRequest[] {
    return this.running.seen;
  }

  /** The next requests get these faults, one each. Requests of the spared path, such as those for tokens, get none. */
  failNext(...faults: readonly Fault[]): void {
    this.running.failNext(...faults);
  }

  /** All requests get this fault from now on, except those of the spared path; undefined: none does. */
  failAlways(fault: Fault | undefined): void {
    this.running.failAlways(fault);
  }

  close(): Promise<void> {
    return this.running.close();
  }

  /** The answer to a request that gets no fault, or to one whose fault spoils the answer. */
  protected abstract answer(request: UpstreamRequest): Reply;

  /** Starts the server. Default port: any free one; `sparedPath` is that of `UpstreamServer.start`. */
  protected async listen(port?: number, sparedPath?: string): Promise<this> {
    this.server = await UpstreamServer.start((request) => this.answer(request), port, sparedPath);
    return this;
  }

  private get running(): UpstreamServer {
    if (this.server === undefined) throw new Error("the upstream has not been started");
    return this.server;
  }
}

import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A TCP connection on which a test reads and writes raw bytes. */
export class RawConnection {
  private received = "";
  private ended = false;
  private failure: string | undefined;

  private constructor(readonly socket: Socket) {
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => (this.received += text));
    socket.on("close", () => (this.ended = true));
    // Most of these tests expect to be cut.
    socket.on("error", ({ code }: NodeJS.ErrnoException) => (this.failure = code));
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, "127.0.0.1");
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new RawConnection(socket);
  }

  get text(): string {
    return this.received;
  }

  get closed(): boolean {
    return this.ended;
  }

  /** The code of the error that broke the connection; undefined if it was closed in order. */
  get brokenBy(): string | undefined {
    return this.failure;
  }

  /** Status codes of the responses received so far. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  write(text: string): void {
    this.socket.write(text, "latin1");
  }

  /** Resolves to the time until the server closed, in milliseconds; fails if it exceeds `withinMs`. */
  async untilClosed(withinMs: number): Promise<number> {
    return this.until(() => this.ended, withinMs);
  }

  async until(condition: () => boolean, withinMs: number): Promise<number> {
    const startedAt = performance.now();
    while (!condition()) {
      if (performance.now() - startedAt > withinMs) throw new Error(`not within ${withinMs} ms; got: ${this.received}`);
      await sleep(10);
    }
    return performance.now() - startedAt;
  }

  end(): void {
    this.socket.destroy();
  }
}

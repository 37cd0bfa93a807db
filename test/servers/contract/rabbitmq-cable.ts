import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { FrameSieve, type MethodFrame } from "./rabbitmq-frames.js";

/** A TCP connection to a server that a test can cut, reconnect, or silence. */
export class Cable {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private server: Server | undefined;
  private silent = false;
  private isHeard: (frame: MethodFrame) => boolean = () => true;
  private port = 0;

  private constructor(private readonly target: URL) {}

  /** A cable to the host and port of `url`. */
  static async to(url: string): Promise<Cable> {
    const cable = new Cable(new URL(url));
    await cable.plugIn();
    return cable;
  }

  /** Reserves an address that refuses connections until `plugIn`. */
  static async unplugged(url: string): Promise<Cable> {
    const cable = await Cable.to(url);
    await cable.cut();
    return cable;
  }

  /** The target's URL through the cable. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = "127.0.0.1";
    url.port = String(this.port);
    return url.toString();
  }

  /** Number of open connections. */
  get connections(): number {
    return this.pairs.size;
  }

  async plugIn(): Promise<void> {
    this.silent = false;
    const server = createServer((near) => this.join(near));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
    this.port = (server.address() as AddressInfo).port;
  }

  /** Ends all connections and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    this.drop();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  /** Ends all connections, but accepts new ones. */
  drop(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
  }

  /** Accepts connections and bytes, but forwards nothing. */
  goSilent(): void {
    this.silent = true;
    for (const [near, far] of this.pairs) {
      near.unpipe(far).resume();
      far.unpipe().resume();
    }
  }

  /** Forwards new connections; silenced ones stay silent. */
  speak(): void {
    this.silent = false;
  }

  /**
   * From now on, forwards only those methods of the broker for which `isHeard` is true; contents are always forwarded.
   */
  hearOnly(isHeard: (frame: MethodFrame) => boolean): void {
    this.isHeard = isHeard;
  }

  /** Sends bytes to the clients as if from the server. */
  say(bytes: Buffer): void {
    for (const [near] of this.pairs) near.write(bytes);
  }

  private join(near: Socket): void {
    const far = connect(Number(this.target.port), this.target.hostname);
    const pair = [near, far] as const;
    this.pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
    if (this.silent) return;
    near.pipe(far);
    far.pipe(new FrameSieve((frame) => this.isHeard(frame))).pipe(near);
  }
}

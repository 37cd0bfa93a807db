import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A proxy of the server that a test can close, block and cut. It does not listen before `open` is called. */
export class MongoProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private blocked = false;
  private answersToLose = 0;

  private constructor(
    /** Of the loopback interface. */
    readonly port: number,
    private readonly target: { host: string; port: number },
  ) {}

  /** `url` is the server's; the first of several hosts is used. */
  static async make(url: string): Promise<MongoProxy> {
    const [host = "127.0.0.1", port = "27017"] = (/\/\/(?:[^@/]*@)?([^/?,]+)/.exec(url)?.[1] ?? "").split(":");
    const finder = createServer().listen(0, "127.0.0.1");
    await once(finder, "listening");
    const address = finder.address();
    finder.close();
    await once(finder, "close");
    if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
    return new MongoProxy(address.port, { host, port: Number(port) });
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  async open(): Promise<void> {
    this.server = createServer((socket) => this.join(socket)).listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
  }

  /** Simulates a server that is down: connections break, and new ones are refused. */
  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(server, "close");
  }

  /** Simulates dropped packets: connections stay open, but nothing arrives. */
  block(): void {
    this.blocked = true;
    for (const socket of this.sockets) socket.pause();
  }

  unblock(): void {
    this.blocked = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Breaks the connection instead of forwarding the next response to a command of this name. */
  loseAnswerTo(command: string): void {
    this.answersToLose = 1;
    this.losing = Buffer.from(command);
  }

  private losing: Buffer = Buffer.alloc(0);

  private join(client: Socket): void {
    const server = connect(this.target);
    let doomed = false;
    client.on("data", (data) => {
      if (this.answersToLose > 0 && data.includes(this.losing)) {
        this.answersToLose -= 1;
        doomed = true;
      }
      server.write(data);
    });
    server.on("data", (data) => {
      if (doomed) client.destroy();
      else client.write(data);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(one);
      if (this.blocked) one.pause();
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }
}

import { createRequire } from "node:module";
import path from "node:path";
import { freePort } from "./free-port.js";
import { LIMITS } from "./limits.js";
import { type LogEntry, Part, readiness } from "./part.js";

/** Everything in one process as `npm start` does, or every part in its own. */
export type Topology = "one-process" | "processes";

export type ServiceName = (typeof SERVICES)[number];

const SERVICES = ["auth", "media", "operation", "insight", "export"] as const;

export interface DeploymentOptions {
  topology: Topology;
  /** For all parts; where their state is (DATA_DIR, MONGODB_URL …) has to be said. */
  env: Readonly<Record<string, string>>;
  /** For single parts, by their names, on top of `env`. */
  partEnv?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Worker processes, in the topology that has some. Default 1. */
  workers?: number;
  /** File that worker processes begin in. Default: the product's own. */
  workerEntry?: string;
}

/** A line of the log about an operation. */
export interface Note {
  part: string;
  msg: string;
  operationId: number;
}

/**
 * The product as processes that can die one by one: `product` in one process; else `gateway`, the five services by
 * their names, and `worker-1` and on.
 */
export class Deployment {
  /** Endings that the logs tell of, over all lives: operation id to how often. */
  readonly endings = new Map<number, number>();
  /** What the logs tell of single operations. */
  readonly notes: Note[] = [];
  /** Log lines of level error and above, which nobody expects. */
  readonly errors: string[] = [];
  readonly parts: readonly Part[];

  private constructor(
    readonly topology: Topology,
    private readonly edge: Readonly<{ url: string; grpcUrl: string }>,
    places: readonly Place[],
    private readonly addresses: Readonly<Record<string, string>> = {},
  ) {
    this.parts = places.map(({ name, entry, env, opsUrl }) => {
      const onLog = (entry: LogEntry, line: string) => this.note(name, entry, line);
      return new Part({ name, entry, env, opsUrl, onLog });
    });
  }

  /** Chooses ports and settings; nothing runs yet. */
  static async prepare(options: DeploymentOptions): Promise<Deployment> {
    const port = await freePort();
    const grpcPort = await freePort();
    const edge = { url: `http://127.0.0.1:${port}`, grpcUrl: `http://127.0.0.1:${grpcPort}` };
    const gatewayEnv = { ...options.env, HOST: "127.0.0.1", PORT: String(port), GRPC_PORT: String(grpcPort) };
    if (options.topology === "one-process") {
      const env = { ...gatewayEnv, ...options.partEnv?.["product"] };
      return new Deployment("one-process", edge, [
        { name: "product", entry: entryOf("standalone", "main"), env, opsUrl: edge.url },
      ]);
    }
    const { places, addresses } = await placeServices(options);
    const opsPort = await freePort();
    const env = { ...gatewayEnv, OPS_PORT: String(opsPort) };
    const opsUrl = `http://127.0.0.1:${opsPort}`;
    const gateway = { name: "gateway", entry: entryOf("gateway", "server"), env, opsUrl };
    const all = [...places, gateway].map((place) => ({
      ...place,
      env: { ...place.env, ...addresses, ...options.partEnv?.[place.name] },
    }));
    return new Deployment("processes", edge, all, addresses);
  }

  /** Where REST is answered. */
  get url(): string {
    return this.edge.url;
  }

  /** Where all services answer gRPC. */
  get grpcUrl(): string {
    return this.edge.grpcUrl;
  }

  /** Where the process that answers REST tells how it does. */
  get opsUrl(): string {
    return this.part(this.topology === "one-process" ? "product" : "gateway").opsUrl;
  }

  /** The part of that name. */
  part(name: string): Part {
    const part = this.parts.find((candidate) => candidate.name === name);
    if (part === undefined) throw new Error(`there is no part ${name}`);
    return part;
  }

  /** Where the service answers gRPC; only in processes of their own. */
  address(service: ServiceName): string {
    const address = this.addresses[`${service.toUpperCase()}_ADDRESS`];
    if (address === undefined) throw new Error(`${service} has no port of its own`);
    return address;
  }

  /** The part in which a step of this name is taken, such as `worker.mid`. */
  partOfStep(step: string): Part {
    if (this.topology === "one-process") return this.part("product");
    return this.part(step.startsWith("worker.") ? "worker-1" : (step.split(".")[0] ?? ""));
  }

  /** Starts whatever does not run. */
  start(): void {
    for (const part of this.parts) if (!part.isRunning) part.start();
  }

  /** Resolves when every part can do its work and the gateway reaches them all. */
  async ready(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.ready()));
    if (this.topology === "one-process") return;
    const giveUpAt = performance.now() + LIMITS.condition;
    for (;;) {
      const states = await readiness(this.opsUrl);
      if (states !== undefined && Object.values(states).every(({ state }) => state === "ready")) return;
      if (performance.now() > giveUpAt) throw new Error(`the gateway reaches only ${JSON.stringify(states)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Ends all parts at once; returns those that did not end in order. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<string[]> {
    const ends = this.parts.map(async (part) => {
      if (!part.isRunning) return [];
      part.thaw();
      const { code } = await part.end(signal);
      return code === 0 ? [] : [`${part.name} ended with code ${code}`];
    });
    return (await Promise.all(ends)).flat();
  }

  private note(part: string, { level, msg, operationId }: LogEntry, line: string): void {
    if (level === "error" || level === "fatal") this.errors.push(`${part}: ${line}`);
    if (operationId === undefined) return;
    this.notes.push({ part, msg, operationId });
    if (msg !== "operation ended") return;
    this.endings.set(operationId, (this.endings.get(operationId) ?? 0) + 1);
  }
}

/** A part before it is one. */
interface Place {
  name: string;
  entry: string;
  env: Readonly<Record<string, string>>;
  opsUrl: string;
}

async function placeServices({
  env,
  workers = 1,
  workerEntry = entryOf("worker", "main"),
}: DeploymentOptions): Promise<{ places: Place[]; addresses: Record<string, string> }> {
  const addresses: Record<string, string> = {};
  const place = async (name: string, entry: string): Promise<Place> => {
    const [grpc, ops] = [await freePort(), await freePort()];
    if (isService(name)) addresses[`${name.toUpperCase()}_ADDRESS`] = `127.0.0.1:${grpc}`;
    const own = { HOST: "127.0.0.1", GRPC_PORT: String(grpc), OPS_PORT: String(ops) };
    return { name, entry, env: { ...env, ...own }, opsUrl: `http://127.0.0.1:${ops}` };
  };
  const places: Place[] = [];
  for (const name of SERVICES) places.push(await place(name, entryOf(name, "server")));
  for (let number = 1; number <= workers; number++) {
    places.push(await place(`worker-${number}`, workerEntry));
  }
  return { places, addresses };
}

function isService(name: string): name is ServiceName {
  return (SERVICES as readonly string[]).includes(name);
}

/** The built file of a package in which a process begins. */
function entryOf(packageName: string, entry: string): string {
  const index = createRequire(import.meta.url).resolve(`@hourglass/${packageName}`);
  return path.join(path.dirname(index), `${entry}.js`);
}

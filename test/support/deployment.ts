import { createRequire } from "node:module";
import path from "node:path";
import { freePort } from "./free-port.js";
import { LIMITS } from "./limits.js";
import { type LogEntry, Part, readiness } from "./part.js";

/** Everything in one process like `npm start`, or each part in its own. */
export type Topology = "one-process" | "processes";

export type ServiceName = (typeof SERVICES)[number];

const SERVICES = ["auth", "media", "operation", "insight", "export"] as const;

/** Steps of workers by their first word, or in full where services have steps of that word, too. */
const WORKER_STEPS: ReadonlySet<string> = new Set([
  "worker",
  "collector",
  "insight.before_results",
  "insight.after_results",
  "insight.mid_deletion",
  "insight.after_recount",
  "export.after_file_set",
  "export.mid_render",
  "export.after_render",
  "export.before_revision",
  "export.after_revision",
  "export.after_followed",
]);

/** The parts that publish due work, by the name of its kind, where that is not theirs. */
const RELAYS: Readonly<Record<string, string>> = {
  "exporting-company": "export",
  "file-set": "export",
  erasure: "insight",
  recount: "insight",
  "posting-batch": "insight",
  search: "insight",
  "posting-reanalysis": "insight",
};

export interface DeploymentOptions {
  topology: Topology;
  /** For all parts; must include the location of their state (DATA_DIR, MONGODB_URL …). */
  env: Readonly<Record<string, string>>;
  /** For single parts by name, in addition to `env`. */
  partEnv?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Number of worker processes, if the topology has any. Default 1. */
  workers?: number;
  /** Entry file of worker processes. Default: the product's own. */
  workerEntry?: string;
}

/** A log line about an operation. */
export interface Note {
  part: string;
  msg: string;
  operationId: number;
}

/**
 * The product as processes that can die separately: `product` in one process; otherwise `gateway`, the five services by
 * name, and `worker-1` and so on.
 */
export class Deployment {
  /** Logged ends of operations over all lives: operation id to number. */
  readonly endings = new Map<number, number>();
  /** The same of exports. */
  readonly exportEndings = new Map<number, number>();
  /** Logged events of single operations. */
  readonly notes: Note[] = [];
  /** Unexpected log lines of level error and above. */
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

  /** Chooses ports and settings; starts nothing. */
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

  /** URL of the REST interface. */
  get url(): string {
    return this.edge.url;
  }

  /** URL of the gRPC port of all services. */
  get grpcUrl(): string {
    return this.edge.grpcUrl;
  }

  /** URL of the operations port of the process that serves REST. */
  get opsUrl(): string {
    return this.part(this.topology === "one-process" ? "product" : "gateway").opsUrl;
  }

  /** The part of that name. */
  part(name: string): Part {
    const part = this.parts.find((candidate) => candidate.name === name);
    if (part === undefined) throw new Error(`there is no part ${name}`);
    return part;
  }

  /** The gRPC address of a service; only with separate processes. */
  address(service: ServiceName): string {
    const address = this.addresses[`${service.toUpperCase()}_ADDRESS`];
    if (address === undefined) throw new Error(`${service} has no port of its own`);
    return address;
  }

  /** The part that runs the step, for example `worker.mid`. */
  partOfStep(step: string): Part {
    if (this.topology === "one-process") return this.part("product");
    const [owner = ""] = step.split(".");
    return this.part(WORKER_STEPS.has(owner) || WORKER_STEPS.has(step) ? "worker-1" : (RELAYS[owner] ?? owner));
  }

  /** Starts the parts that are not running. */
  start(): void {
    for (const part of this.parts) if (!part.isRunning) part.start();
  }

  /** Resolves when every part is ready and the gateway reaches them all. */
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

  /** Ends all parts at once; returns those that did not exit cleanly. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<string[]> {
    const ends = this.parts.map(async (part) => {
      if (!part.isRunning) return [];
      part.thaw();
      const { code } = await part.end(signal);
      return code === 0 ? [] : [`${part.name} ended with code ${code}`];
    });
    return (await Promise.all(ends)).flat();
  }

  private note(part: string, { level, msg, operationId, exportId }: LogEntry, line: string): void {
    if (level === "error" || level === "fatal") this.errors.push(`${part}: ${line}`);
    if (exportId !== undefined && msg === "export ended") count(this.exportEndings, exportId);
    if (operationId === undefined) return;
    this.notes.push({ part, msg, operationId });
    if (msg !== "operation ended") return;
    count(this.endings, operationId);
  }
}

function count(numbers: Map<number, number>, id: number): void {
  numbers.set(id, (numbers.get(id) ?? 0) + 1);
}

/** A part before it is created. */
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

/** The built entry file of a process in a package. */
function entryOf(packageName: string, entry: string): string {
  const index = createRequire(import.meta.url).resolve(`@hourglass/${packageName}`);
  return path.join(path.dirname(index), `${entry}.js`);
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AnalysisType, OperationStatus, OperationType, type Operation } from "@hourglass/proto/operation/v1/operation";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import {
  AppError,
  type Client,
  type Collection,
  createInProcessClient,
  createLogger,
  Dispatcher,
  type Lane,
  openEmbeddedQueue,
  openSqliteStore,
  type Principal,
  type LocalQueue,
  type Route,
  type Stoppable,
  type SqliteStore,
} from "@hourglass/runtime";
import { LANES, OPERATION_KIND } from "../run.js";
import { buildOperationService, type BuiltOperationService, type OperationServiceDeps } from "../service.js";
import { type Collections, type OperationRecord, OperationRepository } from "../store.js";
import { StubAnalyst, StubPool } from "./fakes.js";

export type OperationClient = Client<typeof OperationService>;

export const CONFIG: OperationServiceDeps["config"] = {
  contentsMax: 1000,
  textCharactersMax: 20_000,
  concurrency: 4,
  leaseMs: 15_000,
  unfinishedMax: 0,
  backlogMax: 0,
  retentionDays: undefined,
};

export interface HarnessOptions {
  config?: Partial<OperationServiceDeps["config"]>;
  media?: OperationServiceDeps["media"];
  /** Replaces the store of the storage. */
  store?: OperationServiceDeps["store"];
  clock?: () => number;
  stopping?: AbortSignal;
  metrics?: OperationServiceDeps["metrics"];
  states?: OperationServiceDeps["states"];
}

/** One process of the operation service with a pool that a test controls. Several may share one storage. */
export class Process {
  private readonly parts: Stoppable[] = [];

  private constructor(
    readonly service: BuiltOperationService,
    readonly pool: StubPool,
    readonly files: StubAnalyst,
  ) {}

  static async on(storage: Pick<TestStorage, "store" | "queue">, options: HarnessOptions = {}): Promise<Process> {
    const pool = new StubPool();
    const files = new StubAnalyst();
    const service = await buildOperationService({
      store: options.store ?? storage.store,
      queue: storage.queue,
      pool,
      files,
      config: { ...CONFIG, ...options.config },
      log: createLogger("silent"),
      checkMs: 20,
      ...(options.media === undefined ? {} : { media: options.media }),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(options.stopping === undefined ? {} : { stopping: options.stopping }),
      ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
      ...(options.states === undefined ? {} : { states: options.states }),
    });
    return new Process(service, pool, files);
  }

  /** Starts the given parts, or all of them without arguments. */
  start(...parts: ("relay" | "worker" | "sweeper")[]): this {
    const chosen = parts.length === 0 ? (["relay", "worker", "sweeper"] as const) : parts;
    for (const part of chosen) {
      if (part === "relay") this.parts.push(this.service.startRelay());
      else if (part === "worker") this.parts.push(this.service.startWorker());
      else this.parts.push(this.service.startSweeper());
    }
    return this;
  }

  async stop(graceMs = 2000): Promise<void> {
    for (const part of this.parts.splice(0).reverse()) await part.stop(graceMs);
  }

  /** A client of the company, with the token `company-<id>`. */
  client(companyId = 1): OperationClient {
    const [route] = this.service.routes;
    if (route === undefined) throw new Error("no route");
    return clientOf(route, companyId);
  }
}

/** Accepts tokens like `company-7`. */
export function dispatcherOfCompanies(): Dispatcher {
  return new Dispatcher({
    authenticate: (token) => Promise.resolve(principalOf(Number(token.replace("company-", "")))),
    reportFailure: () => undefined,
  });
}

function clientOf(route: Route, companyId: number): OperationClient {
  const dispatcher = dispatcherOfCompanies();
  const token = `company-${companyId}`;
  const client = createInProcessClient(OperationService, route, dispatcher);
  return {
    createOperation: (request, options) => client.createOperation(request, { token, ...options }),
    getOperation: (request, options) => client.getOperation(request, { token, ...options }),
    checkOperations: (request, options) => client.checkOperations(request, { token, ...options }),
    listOperationContents: (request, options) => client.listOperationContents(request, { token, ...options }),
    listOperations: (request, options) => client.listOperations(request, { token, ...options }),
    listAnalyzers: (request, options) => client.listAnalyzers(request, { token, ...options }),
    deleteOperation: (request, options) => client.deleteOperation(request, { token, ...options }),
  };
}

function principalOf(companyId: number): Principal {
  return {
    userId: companyId,
    role: "admin",
    companyId,
    companyName: `Company ${companyId}`,
    email: "person@example.com",
    firstName: "",
    lastName: "",
    products: [{ uid: "api", active: true }],
  };
}

/** A storage with one process. Close it after the test. */
export class OperationHarness {
  readonly processes: Process[] = [];

  private constructor(
    readonly storage: TestStorage,
    readonly repository: OperationRepository,
    readonly process: Process,
  ) {
    this.processes.push(process);
  }

  static async open(options: HarnessOptions = {}): Promise<OperationHarness> {
    const storage = await openTestStorage();
    const repository = await OperationRepository.open(storage.store);
    return new OperationHarness(storage, repository, await Process.on(storage, options));
  }

  /** Another process with the same store, and its own connection to the same queue. */
  async another(options: HarnessOptions = {}): Promise<Process> {
    const { store, openQueue } = this.storage;
    const process = await Process.on({ store, queue: await openQueue() }, options);
    this.processes.push(process);
    return process;
  }

  get collections(): Collections {
    return this.repository.collections;
  }

  get operations(): Collection<OperationRecord> {
    return this.collections.operations;
  }

  get client(): OperationClient {
    return this.process.client();
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop(500)));
    await this.storage.close();
  }
}

/** A store and a queue for one test. */
interface TestStorage {
  store: SqliteStore;
  queue: LocalQueue;
  /** Opens the queue of another process. */
  openQueue: () => Promise<LocalQueue>;
  close(): Promise<void>;
}

async function openTestStorage(): Promise<TestStorage> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-operation-"));
  const log = createLogger("silent");
  const store = await openSqliteStore({ dataDir, log });
  const queues: LocalQueue[] = [];
  const openQueue = async (): Promise<LocalQueue> => {
    const queue = await openEmbeddedQueue({ database: store.database, log });
    queues.push(queue);
    return queue;
  };
  return {
    store,
    queue: await openQueue(),
    openQueue,
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()));
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A request for texts; sentiment-simple by default. */
export function texts(
  contents: readonly string[],
  analyses: readonly AnalysisType[] = [AnalysisType.SENTIMENT_SIMPLE],
) {
  return {
    type: OperationType.TEXT,
    analyses: [...analyses],
    contents: contents.map((value) => ({ value: { case: "text" as const, value } })),
  };
}

/** The error of a failed call; fails the test if the call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<AppError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

/** Reads an operation once it has ended. */
export async function ended(client: OperationClient, id: bigint): Promise<Operation> {
  const { operation } = await client.getOperation({ id, wait: 60 });
  if (operation === undefined) throw new Error("no operation in the answer");
  if ([OperationStatus.DONE, OperationStatus.FAILED, OperationStatus.INVALID].includes(operation.status))
    return operation;
  throw new Error(`operation ${id} has not ended, it is ${OperationStatus[operation.status]}`);
}

/** Has messages of a lane wait, as for a worker whose places are all taken. */
export async function holdUp({ storage }: OperationHarness, lane: Lane = LANES.texts): Promise<void> {
  await storage.queue.consume(lane.queue, { prefetch: 0 }, () => new Promise(() => undefined));
}

/** The operations whose messages wait in a lane. */
export async function waitingIn(
  { storage, operations }: OperationHarness,
  lane: Lane = LANES.texts,
): Promise<OperationRecord[]> {
  const all = await operations.find({});
  return all.filter(({ id, dueAt }) => storage.queue.holds(lane.queue, OPERATION_KIND.message.encode(id, dueAt ?? 0)));
}

/** Publishes another message about an operation, by default to the lane of small texts. */
export async function publishRun(
  { storage, operations }: OperationHarness,
  id: number,
  lane: Lane = LANES.texts,
): Promise<void> {
  const { dueAt } = (await operations.get(id)) ?? {};
  await storage.queue.publish(lane.queue, OPERATION_KIND.message.encode(id, dueAt ?? 1));
}

/** The error that the owner of an abandoned operation reads. */
export const GAVE_UP = OPERATION_KIND.sentences.gaveUp;

/** Blocks callers until it is opened. */
export class Gate {
  open: () => void = () => undefined;
  private arrive: () => void = () => undefined;
  /** Resolves when the first caller waits at the gate. */
  readonly reached = new Promise<void>((resolve) => (this.arrive = resolve));
  private readonly opened = new Promise<void>((resolve) => (this.open = resolve));

  pass(): Promise<void> {
    this.arrive();
    return this.opened;
  }
}

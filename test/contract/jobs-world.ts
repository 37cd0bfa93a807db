import {
  DEFAULT_JOB_POLICY,
  DUE_INDEX,
  type Collection,
  type DueRecord,
  type EndStatus,
  JOB_INDEXES,
  type JobKind,
  type JobRecord,
  Jobs,
  type JobsConfig,
  type JobWork,
  type Queue,
  type Stoppable,
  type Store,
} from "@hourglass/runtime";
import { silent, type World } from "./support.js";

/** An empty store and an empty queue. */
export interface JobsWorld extends World {
  storage: JobsStorage;
  /** The same data, opened by another process. */
  again: () => Promise<JobsStorage>;
}

export interface JobsStorage {
  store: Store;
  queue: Queue;
}

/** A kind of job that no service has: baking. Large batches have a separate lane. */
export interface BakeRecord extends JobRecord {
  loaves: number;
  oven: string | null;
}

const LANES = { oven: { name: "oven", queue: "q" }, batches: { name: "batches", queue: "other" } } as const;

/** A batch with more loaves is large. */
const LARGE = 100;

export const BAKE: JobKind<BakeRecord> = {
  name: "bake",
  message: {
    name: "Bake",
    encode: (id, dueAt) => new TextEncoder().encode(`bake ${id} ${dueAt}`),
    decode: (body) => {
      const [, id, dueAt] = /^bake (\d+) (\d+)$/.exec(new TextDecoder().decode(body)) ?? [];
      return id === undefined ? undefined : { id: Number(id), dueAt: Number(dueAt) };
    },
  },
  lanes: {
    shared: LANES.oven,
    perCompany: [LANES.batches],
    laneOf: ({ loaves }) => (loaves > LARGE ? LANES.batches : LANES.oven),
  },
  policy: {
    ...DEFAULT_JOB_POLICY,
    attemptsMax: 3,
    firstMs: 10,
    newerWorkerMs: 50,
  },
  sentences: {
    gaveUp: "The loaves were burnt several times.",
    needsNewerRelease: (unknown) => `Nobody can bake ${unknown}.`,
    tooMany: "Your oven is full.",
  },
  tooManyCode: "too_many_unfinished_exports",
  findUnknown: ({ oven }) => (oven === "future" ? "in a future oven" : undefined),
  costOf: ({ loaves }) => (loaves > LARGE ? 1 : loaves),
  spanAttributes: ({ loaves }) => ({ "hourglass.loaves": loaves }),
};

const CONFIG: Omit<JobsConfig, "leaseMs"> = { concurrency: 2, unfinishedMax: 0, backlogMax: 0 };

export interface BakeryOptions {
  config?: Partial<JobsConfig>;
  kind?: Partial<JobKind<BakeRecord>>;
  stopping?: AbortSignal;
  now?: () => number;
}

/** The work that a test does instead of baking. */
export type Bake = JobWork<BakeRecord>;
export const BAKED: Awaited<ReturnType<Bake>> = { to: "done" satisfies EndStatus, fields: { oven: "hot" } };

/** A process with jobs of this kind. */
export class Bakery {
  private readonly parts: Stoppable[] = [];

  private constructor(
    readonly jobs: Jobs<BakeRecord>,
    readonly records: Collection<BakeRecord>,
    readonly queue: Queue,
  ) {}

  static async on(
    { store, queue }: JobsStorage,
    options: BakeryOptions & { config: Pick<JobsConfig, "leaseMs"> },
  ): Promise<Bakery> {
    const records = await store.collection<BakeRecord>({ name: "bakes", indexes: JOB_INDEXES });
    const jobs = new Jobs<BakeRecord>({
      kind: { ...BAKE, ...options.kind },
      store,
      records,
      counter: "bakes",
      queue,
      config: { ...CONFIG, ...options.config },
      log: silent,
      now: options.now ?? Date.now,
      ...(options.stopping && { stopping: options.stopping }),
    });
    return new Bakery(jobs, records, queue);
  }

  /** Stores a job without reserving quota; returns its id. */
  async order(
    fields: Partial<Pick<BakeRecord, "companyId" | "loaves" | "oven" | "idempotency">> = {},
  ): Promise<number> {
    const { companyId = 1, loaves = 1, oven = null, idempotency = null } = fields;
    const key = { idempotency, requestHash: null };
    return this.jobs.insertNext({ ...this.jobs.draft({ companyId, idempotency: key }), loaves, oven });
  }

  relay(): this {
    this.parts.push(this.jobs.startRelay());
    return this;
  }

  worker(work: Bake): this {
    this.parts.push(this.jobs.startWorker(work));
    return this;
  }

  /** The record after the job has ended. */
  async ended(id: number): Promise<BakeRecord> {
    const signal = () => AbortSignal.timeout(60_000);
    return this.jobs.readWhenEnded({ id, waitMs: 30_000, signal }, () => this.read(id));
  }

  async read(id: number): Promise<BakeRecord> {
    const record = await this.records.get(id);
    if (record === undefined) throw new Error(`there is no bake ${id}`);
    return record;
  }

  async stop(graceMs = 2000): Promise<void> {
    for (const part of this.parts.splice(0).reverse()) await part.stop(graceMs);
  }
}

/** What a slow storage needs more or less of. */
export interface JobsScale {
  /** A worker must be able to renew its lease several times within its length. */
  leaseMs: number;
  /** Records that are due at once. */
  dueRecords: number;
  /** Whether messages are in the memory of each process, and cannot be lost without it. Default: false. */
  isLocal?: boolean;
}

export interface Alarm extends DueRecord {
  id: number;
  rung: number;
}

export function openAlarms(store: Store): Promise<Collection<Alarm>> {
  return store.collection<Alarm>({ name: "alarms", indexes: [DUE_INDEX] });
}

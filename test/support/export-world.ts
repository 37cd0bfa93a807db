import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildExportService, exportSettings, type BuiltExportService, type ExportServiceDeps } from "@hourglass/export";
import { buildInsightService, insightSettings } from "@hourglass/insight";
import {
  newInsight,
  openCollections,
  type Collections,
  type PostingDraft,
  PostingStore,
  Tombstones,
} from "@hourglass/insight/postings";
import { ExportFormat, ExportStatus, type Export } from "@hourglass/proto/export/v1/export";
import { ExportService, type ExportInfo } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import {
  AppError,
  createInProcessClient,
  createLogger,
  Dispatcher,
  NO_MEASUREMENTS,
  openEmbeddedQueue,
  openSqliteStore,
  openFileBlobs,
  outboundSettings,
  readConfig,
  updateEachStep,
  type Blobs,
  type CallOptions,
  type Client,
  type Queue,
  type Route,
  type Stoppable,
  type Store,
} from "@hourglass/runtime";

export const COMPANY = 7;
const DAY_MS = 24 * 60 * 60_000;
const START = Date.UTC(2026, 9, 1);
/** A range that all drafts are in. */
export const RANGE = { startDate: "2026-10-01", endDate: "2026-11-01" } as const;

export interface WorldOptions {
  blobs?: (blobs: Blobs) => Blobs;
  config?: Partial<ExportServiceDeps["config"]>;
}

interface WorldParts {
  store: Store;
  queue: Queue;
  blobs: Blobs;
  folder: string;
  collections: Collections;
  insightRoute: Route;
}

/** Exports on the real insight service, in one process on an embedded store. Users' tokens are `user-<company>`. */
export class ExportWorld {
  ahead = 0;
  /** Companies whose product is switched off. */
  readonly inactive = new Set<number>();
  readonly now = (): number => Date.now() + this.ahead;
  readonly insights: Client<typeof InsightService>;
  private readonly dispatcher: Dispatcher;
  private readonly running: Stoppable[] = [];

  readonly store: Store;
  readonly queue: Queue;
  readonly blobs: Blobs;
  readonly folder: string;
  readonly collections: Collections;

  private constructor(
    { store, queue, blobs, folder, collections, insightRoute }: WorldParts,
    private readonly options: WorldOptions,
  ) {
    this.store = store;
    this.queue = queue;
    this.blobs = blobs;
    this.folder = folder;
    this.collections = collections;
    this.dispatcher = new Dispatcher({
      authenticate: (token) => Promise.resolve(userOf(token)),
      authenticateService: (token) => Promise.resolve(serviceOf(token)),
      reportFailure: () => undefined,
    });
    this.insights = createInProcessClient(InsightService, insightRoute, this.dispatcher);
  }

  static async open(options: WorldOptions = {}): Promise<ExportWorld> {
    const folder = await mkdtemp(path.join(tmpdir(), "hourglass-exports-"));
    const log = createLogger("silent");
    const store = await openSqliteStore({ dataDir: folder, log });
    const queue = await openEmbeddedQueue({ database: store.database, log });
    const blobs = await openFileBlobs({ folder });
    const config = readConfig({}, { insight: insightSettings, outbound: outboundSettings });
    const insights = await buildInsightService({ store, queue, config, log });
    const [route] = insights.routes as [Route];
    const collections = await openCollections(store);
    const wrapped = options.blobs?.(blobs) ?? blobs;
    return new ExportWorld({ store, queue, blobs: wrapped, folder, collections, insightRoute: route }, options);
  }

  /** Builds the export service; each call is like another process. */
  async process(deps: Partial<ExportServiceDeps> = {}): Promise<ExportProcess> {
    const { store, queue, blobs } = this;
    const { export: config } = readConfig({}, { export: exportSettings });
    const service = await buildExportService({
      store,
      queue,
      blobs,
      insight: {
        client: this.insights,
        serviceTokens: {
          call: (company, work) => work(serviceToken(company)),
          isActive: (company) => Promise.resolve(!this.inactive.has(company)),
        },
      },
      config: { ...config, ...this.options.config },
      log: createLogger("silent"),
      clock: this.now,
      intervals: { checkMs: 20, erasuresMs: 20 },
      ...deps,
    });
    return new ExportProcess(service, this.dispatcher, this.running);
  }

  /** Stores an insight, and returns its id. */
  async insight(companyId = COMPANY): Promise<number> {
    const id = await this.store.nextId("insights");
    const query = {
      keywords: "kestrel",
      platforms: ["twitter", "news"],
      dimensions: ["textual" as const],
      location: "",
      sneakPeek: false,
      follow: { feeds: [], subreddits: [], pages: [], organisations: [] },
    };
    await this.collections.insights.insert(
      newInsight({ id, companyId, query, terms: "kestrel", createdAt: Date.now() }),
    );
    return id;
  }

  /** Stores postings of an insight; their analysis is done unless said otherwise. */
  async save(insight: number, drafts: readonly PostingDraft[], { analysed = true } = {}): Promise<void> {
    const { store, collections, now } = this;
    const tombstones = new Tombstones(collections);
    const postingStore = new PostingStore({ store, collections, tombstones, metrics: NO_MEASUREMENTS, now });
    for (let from = 0; from < drafts.length; from += 200) {
      const page = drafts.slice(from, from + 200);
      await postingStore.storePage({
        insight: { id: insight, companyId: COMPANY, epoch: 1 },
        platform: "twitter",
        drafts: page,
        preview: false,
      });
    }
    if (analysed) await this.analyze(insight);
  }

  /** Ends all analyses of an insight. */
  async analyze(insight: number): Promise<void> {
    const waiting = await this.collections.postings.find({ insightId: insight, listedAt: null });
    const updates = waiting.map(({ id, postedAt }) => ({ filter: { id }, change: { set: { listedAt: postedAt } } }));
    await this.store.commit([updateEachStep(this.collections.postings, updates)]);
    await this.collections.work.delete({ insightId: insight });
  }

  /** The keys of all stored blobs. */
  async files(): Promise<string[]> {
    const entries = await readdir(path.join(this.folder, "blobs"), { recursive: true }).catch(() => []);
    return entries.filter((name) => name.endsWith(".blob"));
  }

  async close(): Promise<void> {
    await Promise.all(this.running.splice(0).map((part) => part.stop(2000)));
    await this.queue.close();
    await this.store.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** One process of the export service. */
export class ExportProcess {
  readonly exports: Client<typeof ExportService>;

  constructor(
    private readonly service: BuiltExportService,
    dispatcher: Dispatcher,
    private readonly running: Stoppable[],
  ) {
    const [route] = service.routes as [Route];
    this.exports = createInProcessClient(ExportService, route, dispatcher);
  }

  start(...parts: ("relay" | "worker" | "sweeper")[]): this {
    const chosen = parts.length === 0 ? (["relay", "worker", "sweeper"] as const) : parts;
    for (const part of chosen) {
      if (part === "relay") this.running.push(this.service.startRelay());
      else if (part === "worker") this.running.push(this.service.startWorker());
      else this.running.push(this.service.startSweeper());
    }
    return this;
  }

  async create(insights: readonly number[], request: object = {}): Promise<bigint> {
    const asked = { insightSearchIds: insights.map(BigInt), ...RANGE, ...request };
    return (await this.exports.createExport(asked, user())).id;
  }

  async get(id: bigint, wait = 0): Promise<Export> {
    const { export: found } = await this.exports.getExport({ id, wait }, { ...user(), timeoutMs: 90_000 });
    if (found === undefined) throw new Error("the answer has no export");
    return found;
  }

  async ended(id: bigint): Promise<Export> {
    const found = await this.get(id, 30);
    if (found.status === ExportStatus.DONE || found.status === ExportStatus.FAILED) return found;
    throw new Error(`export ${id} has not ended, it is ${ExportStatus[found.status]}`);
  }

  /** What the stream states first, and all bytes. */
  async read(
    id: bigint,
    format = ExportFormat.NDJSON,
    reading: object = {},
  ): Promise<{ info: ExportInfo; bytes: Buffer }> {
    return collect(this.exports.readExport({ id, format, reading }, user()));
  }

  /** The `social_id` of each posting, as each format tells it. */
  async socialIds(id: bigint): Promise<string[]> {
    const { bytes } = await this.read(id, ExportFormat.JSON);
    return (JSON.parse(bytes.toString()) as { social_id: string }[]).map((posting) => posting.social_id);
  }
}

type Parts = AsyncIterable<{ part: { case?: string | undefined; value?: unknown } }>;

/** The first message and the bytes of a stream. */
export async function collect(parts: Parts): Promise<{ info: ExportInfo; bytes: Buffer }> {
  let info: ExportInfo | undefined;
  const chunks: Uint8Array[] = [];
  for await (const { part } of parts) {
    if (part.case === "info") info = part.value as ExportInfo;
    else chunks.push(part.value as Uint8Array);
  }
  if (info === undefined) throw new Error("the stream told nothing first");
  return { info, bytes: Buffer.concat(chunks) };
}

/** A call by a user of a company. */
export function user(companyId = COMPANY): CallOptions {
  return { token: `user-${companyId}` };
}

/** A posting of that number, an hour after the one before. */
export function draft(number: number, values: Partial<PostingDraft> = {}): PostingDraft {
  return {
    socialId: `s${number}`,
    postedAt: START + (number * DAY_MS) / 24,
    text: `Kestrel number ${number} hovers.`,
    author: { id: `a${number % 5}` },
    ...values,
  };
}

/** The drafts of a range of numbers, the last one excluded. */
export function drafts(from: number, to: number): PostingDraft[] {
  return Array.from({ length: to - from }, (_, index) => draft(from + index));
}

/** The `social_id` of each draft of a range of numbers, the last one excluded. */
export function socialIdsOf(from: number, to: number): string[] {
  return drafts(from, to).map(({ socialId }) => socialId ?? "");
}

function userOf(token: string) {
  const companyId = Number(/^user-(\d+)$/.exec(token)?.[1]);
  if (!(companyId > 0)) throw new AppError("unauthenticated", "Sign in.");
  const person = {
    userId: 1,
    role: "admin" as const,
    email: "ada@example.com",
    firstName: "Ada",
    lastName: "L",
    companyName: "Example",
  };
  return { ...person, companyId, products: [{ uid: "insight", active: true }] };
}

function serviceToken(companyId: number): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ typ: "service+jwt", alg: "EdDSA" })}.${encode({ company: companyId })}.${"A".repeat(86)}`;
}

function serviceOf(token: string) {
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { company: number };
  return { service: "export", companyId: claims.company };
}

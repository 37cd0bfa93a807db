import createClient, { type Client } from "openapi-fetch";
import type { components, operations, paths } from "./api.js";
import { type Batch, batchesOf, inOrder } from "./batches.js";
import { failureOf, HourglassError, requireSuccess } from "./errors.js";
import { valuesOfLines } from "./ndjson.js";
import { newIdempotencyKey, pauseByTimer, type Retries, sendRepeatedly } from "./retries.js";
import { sendFile, type UploadOptions } from "./upload.js";
import { followerOf, untilEnded, type WaitOptions } from "./wait.js";

type Schemas = components["schemas"];
export type User = Schemas["User"];
export type NewOperation = Schemas["NewOperation"];
export type Operation = Schemas["Operation"];
export type OperationContent = Schemas["OperationContent"];
export type ListedOperation = Schemas["ListedOperation"];
export type NewInsight = Schemas["NewInsight"];
export type Insight = Schemas["Insight"];
export type Summary = Schemas["Summary"];
export type NewExport = Schemas["NewExport"];
export type Export = Schemas["Export"];
export type ListedExport = Schemas["ListedExport"];
export type Posting = Schemas["Posting"];

type SummaryQuery = NonNullable<operations["summarizeInsight"]["parameters"]["query"]>;
/** The parameters of a list, without those of its pages. */
type ListQuery<O extends keyof operations> = Omit<
  NonNullable<operations[O]["parameters"]["query"]>,
  "cursor" | "metadata.KEY"
>;
/** With what the metadata of its records has: all of these keys with these values. */
type LabeledQuery<O extends keyof operations> = ListQuery<O> & { readonly metadata?: Readonly<Record<string, string>> };

export interface HourglassOptions {
  /** Such as `https://hourglass.example.com`. */
  readonly baseUrl: string;
  /** An access token or an API key; without one, call `signIn` first. */
  readonly token?: string;
  /** Default: the one of the runtime. */
  readonly fetch?: typeof fetch;
  /** How often a request is sent again while the server is away or asks to wait. Default: 6; 0: never. */
  readonly retries?: number;
  /** Waits before a request is sent again, in milliseconds. Default: by a timer. */
  readonly pause?: Retries["pause"];
}

/** Texts, ids of files or URLs, as many as you have; also such as are read while they are analyzed. */
type Contents<T> = (Iterable<T> & object) | AsyncIterable<T>;

/** An operation of any number of contents, which become operations of as many as the server takes at once. */
export type LargeOperation =
  | (Omit<Schemas["TextOperation"], "contents" | "contents_groups"> & { contents: Contents<string> })
  | (Omit<Schemas["FileOperation"], "contents" | "contents_groups"> & {
      contents: Contents<number> | Contents<string>;
    });

export interface CreateOptions {
  /** With the same key, the same creation gives the same record again for 24 hours. Default: a new one. */
  readonly idempotencyKey?: string;
}

export type AnalyzeOptions = WaitOptions & CreateOptions;

export interface AnalyzeAllOptions extends CreateOptions {
  /** Ends the wait; its reason is thrown. */
  readonly signal?: AbortSignal;
}

const OPERATIONS = "/api/v2/products/api/operations";
const UPLOAD = `${OPERATIONS}/upload`;
const INSIGHTS = "/api/v2/products/insight";
const EXPORTS = `${INSIGHTS}/exports`;
/** Operations of one list that are under way at a time: the server has work while results are read. */
const OPERATIONS_AT_A_TIME = 3;
/** What a body has beside its contents, at most. */
const REST_OF_BODY_BYTES = 65_536;
/** Entries of a page at most. */
const PAGE = 200;
/** Not DELETE and PUT, whose repetition may be refused, since the first one was carried out. */
const HARMLESS_TWICE = new Set(["GET", "HEAD"]);
/** Where a cut must not come, since all contents are judged together. */
const JUDGES_GROUPS = "personality-mb";

/**
 * A client of the REST interface. `api` has every route, typed from its document; the other methods take several requests,
 * or read more than one JSON value. All throw HourglassError if the server refuses or fails.
 */
export class Hourglass {
  /** Every route: `api.GET("/api/v2/server")`. Answers that are no success throw HourglassError. */
  readonly api: Client<paths>;
  private readonly baseUrl: string;
  private readonly fetch: typeof fetch;
  private readonly retries: Retries;
  private token: string | undefined;

  constructor({ baseUrl, token, fetch: given, retries = 6, pause = pauseByTimer }: HourglassOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, "");
    this.token = token;
    this.fetch = given ?? ((...args) => fetch(...args));
    this.retries = { retries, pause };
    this.api = createClient<paths>({ baseUrl: this.baseUrl, fetch: (request) => this.send(request) });
    this.api.use({
      onRequest: ({ request }) => {
        for (const [name, value] of Object.entries(this.headers())) request.headers.set(name, value);
      },
      onResponse: ({ response }) => requireSuccess(response),
    });
  }

  /** Signs in with a password; the other methods then use the token, until it expires. */
  async signIn(email: string, password: string): Promise<User> {
    const { data, response } = await this.api.POST("/api/v1/users/sign_in", { body: { user: { email, password } } });
    this.token = response.headers.get("authorization")?.replace(/^Bearer /, "");
    return must(data, response);
  }

  /** Ends the session of the token everywhere, and forgets it. */
  async signOut(): Promise<void> {
    await this.api.DELETE("/api/v1/users/sign_in");
    this.token = undefined;
  }

  /** Uses another access token or API key from now on; undefined: none. */
  useToken(token: string | undefined): void {
    this.token = token;
  }

  /** Creates an operation and returns its id. */
  async createOperation(operation: NewOperation, idempotencyKey = newIdempotencyKey()): Promise<number> {
    const params = { header: { "Idempotency-Key": idempotencyKey } };
    const { data, response } = await this.api.POST(OPERATIONS, { params, body: operation });
    return must(data, response).id;
  }

  /** Waits until an operation is done, failed or invalid, and returns it. `data: false` leaves its results out. */
  waitForOperation(id: number, options: WaitOptions & { readonly data?: boolean } = {}): Promise<Operation> {
    const query = options.data === false ? { data: false } : {};
    return untilEnded(options, async (wait, signal) => {
      const params = { path: { id }, query: { ...query, wait } };
      const { data, response } = await this.api.GET(`${OPERATIONS}/{id}`, { params, signal });
      return must(data, response);
    });
  }

  /** Creates an operation, waits for its end and returns it. More contents than the server takes at once: `analyzeAll`. */
  async analyze(operation: NewOperation, options: AnalyzeOptions = {}): Promise<Operation> {
    return this.waitForOperation(await this.createOperation(operation, options.idempotencyKey), options);
  }

  /**
   * Analyzes any number of contents, and gives each with its results, in their order; `index` counts all of them. They become
   * operations of as many as the server takes at once, a few at a time, and `contents` is read no further ahead. If one is
   * refused or fails, HourglassError is thrown, and those after it are not created. With an `idempotencyKey`, a program that
   * is run again within 24 hours finds what was analyzed.
   */
  async *analyzeAll(operation: LargeOperation, options: AnalyzeAllOptions = {}): AsyncGenerator<OperationContent> {
    const { contents, ...rest } = operation;
    if (rest.analyses.includes(JUDGES_GROUPS) || "contents_groups" in rest) {
      throw new RangeError(`Groups must not be divided: use analyze for ${JUDGES_GROUPS} and contents_groups.`);
    }
    const { idempotencyKey = newIdempotencyKey() } = options;
    const over = followerOf(options.signal);
    const analyzeBatch = async ({ first, entries }: Batch<number | string>): Promise<{ first: number; id: number }> => {
      over.signal.throwIfAborted();
      const body = { ...rest, contents: entries } as NewOperation;
      const id = await this.createOperation(body, `${idempotencyKey}-${first}`).catch((error: unknown) => {
        throw error instanceof HourglassError ? error.countedFrom(first) : error;
      });
      await this.waitForOperation(id, { signal: over.signal, data: false });
      return { first, id };
    };
    try {
      const { data, response } = await this.api.GET("/api/v2/server", { signal: over.signal });
      const { contents: most, body_bytes: bytes } = must(data, response).limits;
      const batches = batchesOf<number | string>(contents, { entries: most, bytes: bytes - REST_OF_BODY_BYTES });
      for await (const { first, id } of inOrder(batches, analyzeBatch, OPERATIONS_AT_A_TIME)) {
        for await (const content of this.operationContents(id)) yield { ...content, index: first + content.index };
      }
    } finally {
      over.abort();
    }
  }

  /** The contents of an operation that is done, each with its results, in the order of the request. */
  operationContents(id: number): AsyncGenerator<OperationContent> {
    return entriesOf(async (cursor) => {
      const params = { path: { id }, query: { limit: PAGE, ...cursor } };
      const { data, response } = await this.api.GET(`${OPERATIONS}/{id}/contents`, { params });
      const { contents: entries, next_cursor: next } = must(data, response);
      return { entries, next };
    });
  }

  /** Begins to collect, and returns the id of the insight. */
  async createInsight(insight: NewInsight, idempotencyKey = newIdempotencyKey()): Promise<number> {
    const params = { header: { "Idempotency-Key": idempotencyKey } };
    const { response } = await this.api.POST(INSIGHTS, { params, body: insight });
    return Number(must(response.headers.get("location")?.split("/").at(-1), response));
  }

  /** Counts the postings of an insight by time and by what they say, and finds unusual days. */
  async summary(insightId: number, query: SummaryQuery = {}): Promise<Summary> {
    const params = { path: { id: insightId }, query };
    const { data, response } = await this.api.GET(`${INSIGHTS}/{id}/summary`, { params });
    return must(data, response);
  }

  /** Begins an export and returns its id. */
  async createExport(wanted: NewExport, idempotencyKey = newIdempotencyKey()): Promise<number> {
    const params = { header: { "Idempotency-Key": idempotencyKey } };
    const { data, response } = await this.api.POST(EXPORTS, { params, body: wanted });
    return must(data, response).id;
  }

  /** Waits until an export is done or failed, and returns it, without its postings: `exportedPostings` reads these. */
  waitForExport(id: number, options: WaitOptions = {}): Promise<ListedExport> {
    return untilEnded(options, async (wait, signal) => {
      const query = { wait, columns: ["platform" as const] };
      const { data, response } = await this.api.GET(`${EXPORTS}/{id}`, { params: { path: { id }, query }, signal });
      const { data: _postings, coverage: _coverage, ...rest } = must(data, response) as Export;
      return rest;
    });
  }

  /** The postings of an export that is done, one by one as they arrive. */
  async *exportedPostings(id: number, signal?: AbortSignal): AsyncGenerator<Posting> {
    const url = `${this.baseUrl}${EXPORTS}/${id}/download?format=ndjson`;
    const init = { headers: this.headers(), ...(signal === undefined ? {} : { signal }) };
    const response = await sendRepeatedly(() => this.fetch(url, init), { isRepeatable: true, signal }, this.retries);
    await requireSuccess(response);
    if (response.body !== null) yield* valuesOfLines(response.body) as AsyncGenerator<Posting>;
  }

  /** All operations, newest first. */
  operations(query: LabeledQuery<"listOperations"> = {}): AsyncGenerator<ListedOperation> {
    return entriesOf(async (cursor) => {
      const { data, response } = await this.api.GET(OPERATIONS, {
        params: { query: { ...parametersOf(query), ...cursor } },
      });
      const { operations: entries, next_cursor: next } = must(data, response);
      return { entries, next };
    });
  }

  /** All insights, newest first. */
  insights(query: LabeledQuery<"listInsights"> = {}): AsyncGenerator<Insight> {
    return entriesOf(async (cursor) => {
      const { data, response } = await this.api.GET(INSIGHTS, {
        params: { query: { ...parametersOf(query), ...cursor } },
      });
      const { insights: entries, next_cursor: next } = must(data, response);
      return { entries, next };
    });
  }

  /** All exports, newest first. */
  exports(query: LabeledQuery<"listExports"> = {}): AsyncGenerator<ListedExport> {
    return entriesOf(async (cursor) => {
      const { data, response } = await this.api.GET(EXPORTS, {
        params: { query: { ...parametersOf(query), ...cursor } },
      });
      const { exports: entries, next_cursor: next } = must(data, response);
      return { entries, next };
    });
  }

  /** The postings of an insight, newest first, as far as they match. */
  postings(insightId: number, query: ListQuery<"listPostings"> = {}): AsyncGenerator<Posting> {
    return entriesOf(async (cursor) => {
      const params = { path: { id: insightId }, query: { ...query, ...cursor } };
      const { data, response } = await this.api.GET(`${INSIGHTS}/{id}/postings`, { params });
      const { postings: entries, next_cursor: next } = must(data, response);
      return { entries, next };
    });
  }

  /** Uploads a file and returns its id, for `contents` of an operation. */
  async upload(file: Blob, options: UploadOptions = {}): Promise<number> {
    const { idempotencyKey = newIdempotencyKey(), signal } = options;
    const headers = { ...this.headers(), "Idempotency-Key": idempotencyKey };
    const upload = { ...options, url: this.baseUrl + UPLOAD, file, headers, fetch: this.fetch };
    const response = await sendRepeatedly(() => sendFile(upload), { isRepeatable: true, signal }, this.retries);
    await requireSuccess(response);
    return ((await response.json()) as Schemas["CreatedFile"]).id;
  }

  private send(request: Request): Promise<Response> {
    const { method, headers, signal } = request;
    const isRepeatable = HARMLESS_TWICE.has(method) || headers.has("idempotency-key");
    return sendRepeatedly(() => this.fetch(request.clone()), { isRepeatable, signal }, this.retries);
  }

  private headers(): Record<string, string> {
    return this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
  }
}

/** What a response that is a success holds. */
function must<T>(data: T | undefined, response: Response): T {
  if (data === undefined) throw failureOf(response, undefined);
  return data;
}

interface PageOf<T> {
  readonly entries: readonly T[];
  readonly next: string | null;
}

/** The entries of all pages; a page is asked for when its first entry is. */
async function* entriesOf<T>(read: (cursor: { readonly cursor?: string }) => Promise<PageOf<T>>): AsyncGenerator<T> {
  let cursor: { readonly cursor?: string } = {};
  for (;;) {
    const { entries, next } = await read(cursor);
    yield* entries;
    if (next === null) return;
    cursor = { cursor: next };
  }
}

/** The parameters of a list; each entry of the metadata is one. */
function parametersOf<Q extends { metadata?: Readonly<Record<string, string>> }>({ metadata = {}, ...query }: Q) {
  const entries = Object.entries(metadata).map(([key, value]) => [encodeURIComponent(`metadata.${key}`), value]);
  return { ...query, ...(Object.fromEntries(entries) as Record<`metadata.${string}`, string>) };
}

import createClient, { type Client } from "openapi-fetch";
import type { components, operations, paths } from "./api.js";
import { failureOf, requireSuccess } from "./errors.js";
import { valuesOfLines } from "./ndjson.js";
import { sendFile, type UploadOptions } from "./upload.js";

type Schemas = components["schemas"];
export type User = Schemas["User"];
export type NewOperation = Schemas["NewOperation"];
export type Operation = Schemas["Operation"];
export type ListedOperation = Schemas["ListedOperation"];
export type Insight = Schemas["Insight"];
export type Export = Schemas["Export"];
export type ListedExport = Schemas["ListedExport"];
export type Posting = Schemas["Posting"];

/** The parameters of a list, without those of its pages. */
type ListQuery<O extends keyof operations> = Omit<NonNullable<operations[O]["parameters"]["query"]>, "cursor">;

export interface HourglassOptions {
  /** Such as `https://hourglass.example.com`. */
  readonly baseUrl: string;
  /** An access token or an API key; without one, call `signIn` first. */
  readonly token?: string;
  /** Default: the one of the runtime. */
  readonly fetch?: typeof fetch;
}

export interface WaitOptions {
  /** Default: as long as it takes. In milliseconds; then TimeoutError is thrown. */
  readonly timeoutMs?: number;
  /** Ends the wait; its reason is thrown. */
  readonly signal?: AbortSignal;
}

/** The longest that the server holds an answer. In seconds. */
const WAIT_SECONDS = 60;
const OPERATIONS = "/api/v2/products/api/operations";
const UPLOAD = `${OPERATIONS}/upload`;
const EXPORTS = "/api/v2/products/insight/exports";

/**
 * A client of the REST interface. `api` has every route, typed from its document; the other methods take several requests,
 * or read more than one JSON value. All throw HourglassError if the server refuses or fails.
 */
export class Hourglass {
  /** Every route: `api.GET("/api/v2/server")`. Answers that are no success throw HourglassError. */
  readonly api: Client<paths>;
  private readonly baseUrl: string;
  private readonly fetch: typeof fetch;
  private token: string | undefined;

  constructor({ baseUrl, token, fetch: given }: HourglassOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, "");
    this.token = token;
    this.fetch = given ?? ((...args) => fetch(...args));
    this.api = createClient<paths>({ baseUrl: this.baseUrl, fetch: (request) => this.fetch(request) });
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
  async createOperation(operation: NewOperation, idempotencyKey?: string): Promise<number> {
    const header = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    const { data, response } = await this.api.POST(OPERATIONS, { params: { header }, body: operation });
    return must(data, response).id;
  }

  /** Waits until an operation is done, failed or invalid, and returns it. */
  waitForOperation(id: number, options: WaitOptions = {}): Promise<Operation> {
    return untilEnded(options, async (wait, signal) => {
      const params = { path: { id }, query: { wait } };
      const { data, response } = await this.api.GET(`${OPERATIONS}/{id}`, { params, ...signal });
      return must(data, response);
    });
  }

  /** Creates an operation, waits for its end and returns it. */
  async analyze(operation: NewOperation, options: WaitOptions = {}): Promise<Operation> {
    return this.waitForOperation(await this.createOperation(operation), options);
  }

  /** Waits until an export is done or failed, and returns it, without its postings: `exportedPostings` reads these. */
  waitForExport(id: number, options: WaitOptions = {}): Promise<ListedExport> {
    return untilEnded(options, async (wait, signal) => {
      const query = { wait, columns: ["platform" as const] };
      const { data, response } = await this.api.GET(`${EXPORTS}/{id}`, { params: { path: { id }, query }, ...signal });
      const { data: _postings, coverage: _coverage, ...rest } = must(data, response) as Export;
      return rest;
    });
  }

  /** The postings of an export that is done, one by one as they arrive. */
  async *exportedPostings(id: number, signal?: AbortSignal): AsyncGenerator<Posting> {
    const response = await this.fetch(`${this.baseUrl}${EXPORTS}/${id}/download?format=ndjson`, {
      headers: this.headers(),
      ...(signal === undefined ? {} : { signal }),
    });
    await requireSuccess(response);
    if (response.body !== null) yield* valuesOfLines(response.body) as AsyncGenerator<Posting>;
  }

  /** All operations, newest first. */
  operations(query: ListQuery<"listOperations"> = {}): AsyncGenerator<ListedOperation> {
    return entriesOf(async (cursor) => {
      const { data, response } = await this.api.GET(OPERATIONS, { params: { query: { ...query, ...cursor } } });
      const { operations: entries, next_cursor: next } = must(data, response);
      return { entries, next };
    });
  }

  /** All insights, newest first. */
  insights(query: ListQuery<"listInsights"> = {}): AsyncGenerator<Insight> {
    return entriesOf(async (cursor) => {
      const { data, response } = await this.api.GET("/api/v2/products/insight", {
        params: { query: { ...query, ...cursor } },
      });
      const { insights: entries, next_cursor: next } = must(data, response);
      return { entries, next };
    });
  }

  /** All exports, newest first. */
  exports(query: ListQuery<"listExports"> = {}): AsyncGenerator<ListedExport> {
    return entriesOf(async (cursor) => {
      const { data, response } = await this.api.GET(EXPORTS, { params: { query: { ...query, ...cursor } } });
      const { exports: entries, next_cursor: next } = must(data, response);
      return { entries, next };
    });
  }

  /** The postings of an insight, newest first, as far as they match. */
  postings(insightId: number, query: ListQuery<"listPostings"> = {}): AsyncGenerator<Posting> {
    return entriesOf(async (cursor) => {
      const params = { path: { id: insightId }, query: { ...query, ...cursor } };
      const { data, response } = await this.api.GET("/api/v2/products/insight/{id}/postings", { params });
      const { postings: entries, next_cursor: next } = must(data, response);
      return { entries, next };
    });
  }

  /** Uploads a file and returns its id, for `contents` of an operation. */
  async upload(file: Blob, options: UploadOptions = {}): Promise<number> {
    const { idempotencyKey } = options;
    const headers = {
      ...this.headers(),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
    };
    const response = await sendFile({ ...options, url: this.baseUrl + UPLOAD, file, headers, fetch: this.fetch });
    await requireSuccess(response);
    return ((await response.json()) as Schemas["CreatedFile"]).id;
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

const ENDED = new Set(["done", "failed", "invalid"]);

/** Asks until a record has come to its end; the server holds each answer as long as it may. */
async function untilEnded<R extends { readonly status: string }>(
  { timeoutMs, signal }: WaitOptions,
  read: (waitSeconds: number, signal: { readonly signal?: AbortSignal }) => Promise<R>,
): Promise<R> {
  const until = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw new DOMException("It has not come to its end in time.", "TimeoutError");
    const wait = Math.min(WAIT_SECONDS, Math.ceil(leftMs / 1000));
    const record = await read(wait, signal === undefined ? {} : { signal });
    if (ENDED.has(record.status)) return record;
  }
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

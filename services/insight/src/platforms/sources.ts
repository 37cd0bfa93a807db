import { createHash } from "node:crypto";
import type { Json } from "@hourglass/runtime";
import * as z from "zod";
import {
  type GapReason,
  type Page,
  type PageRequest,
  PlatformError,
  type PlatformErrorKind,
  type PlatformSearch,
} from "./connector.js";

/** Pages that a preview reads of all sources together. */
const PREVIEW_PAGES = 10;

/** A page, hashtag or account that is read. */
export interface Source {
  /** Distinguishes it from others, in cursors. */
  readonly key: string;
  /** As users know it, such as `the page kestrel`. */
  readonly label: string;
  /** Whether the operator named it, not the owner of a search. */
  readonly isOfServer: boolean;
}

/** Where reading a source continues. */
export interface SourceAt {
  readonly after: string | null;
  /** Pages of this poll that were read before. */
  readonly pages: number;
  /** Oldest time of posting that the search wants, in milliseconds since the epoch. */
  readonly since: number;
  /** Up to when it was read by the last complete poll; undefined if by none. */
  readonly readUntil: number | undefined;
}

/** One page of a source. */
export interface SourcePage extends Pick<Page, "postings" | "skipped" | "requests" | "gaps" | "warnings"> {
  /** Cursor of its next page; null: this is its last one. */
  readonly after: string | null;
}

/** The sources of a search, and how one of them is read. */
export interface Walk<S extends Source> {
  sourcesOf(search: PlatformSearch): readonly S[];
  /** Throws SourceError if others may be readable, else what `fetchPage` of a connector throws. */
  read(source: S, at: SourceAt, request: PageRequest): Promise<SourcePage>;
  warningsOf(search: PlatformSearch): readonly string[];
  /** A sentence for a search without sources. */
  readonly nothing: string;
  /** Earliest permitted time of the next poll. */
  notBefore(): number | undefined;
  now(): number;
}

/**
 * Reads the next page of the sources of a search, one source after the other in the order of their keys. A source that
 * cannot be read is a warning and a gap; only if none can, the poll fails.
 */
export async function readNext<S extends Source>(walk: Walk<S>, request: PageRequest): Promise<Page> {
  request.signal.throwIfAborted();
  const sources = [...walk.sourcesOf(request.search)].sort((a, b) => (a.key < b.key ? -1 : 1));
  const begun = positionOf(request.pageToken, request.cursor, request.since);
  const source = sourceAt(sources, begun.source);
  if (source === undefined && sources.length === 0) throw new PlatformError("permanent", walk.nothing, { requests: 0 });
  // The sources after the position were removed from the settings meanwhile.
  if (source === undefined) return { postings: [], skipped: 0, requests: 0, nextPage: null, cursor: cursorOf(begun) };
  const position = source.key === begun.source ? begun : beginSource(begun, source.key);
  const here = position.pages === 0 ? { ...position, startedAt: walk.now() } : position;
  const step = await stepOf(walk, { source, sources, here }, request);
  const notBefore = walk.notBefore();
  const warnings = [...walk.warningsOf(request.search), ...step.warnings];
  return { ...step.page, warnings, ...(notBefore !== undefined && { notBefore }) };
}

/** The source of that key, or the one after it. */
function sourceAt<S extends Source>(sources: readonly S[], key: string | null): S | undefined {
  return sources.find((source) => key === null || source.key >= key);
}

interface Place<S extends Source> {
  readonly source: S;
  readonly sources: readonly S[];
  readonly here: Position;
}

interface Step {
  readonly page: Page;
  readonly warnings: readonly string[];
}

async function stepOf<S extends Source>(walk: Walk<S>, place: Place<S>, request: PageRequest): Promise<Step> {
  const { source, here } = place;
  const { after, pages, read } = here;
  try {
    const at = { after, pages, since: sinceOf(source, here, request), readUntil: read[source.key] };
    const page = await walk.read(source, at, request);
    return { page: { ...page, ...followUp(place, page, request) }, warnings: page.warnings ?? [] };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return problemStep(walk, place, { error, since: sinceOf(source, here, request) });
  }
}

/** Oldest time of posting that is wanted of a source. */
function sinceOf({ key }: Source, { since, read }: Position, { addedSince = since }: PageRequest): number {
  return read[key] === undefined ? Math.max(since, addedSince) : since;
}

/** The next page of this source, else the next source, else the end of the poll. */
function followUp<S extends Source>(
  { source, sources, here }: Place<S>,
  page: SourcePage,
  { search }: PageRequest,
): Pick<Page, "nextPage" | "cursor"> {
  const last = digestOf(page);
  const pages = here.pages + 1;
  const isEnough = search.preview && pages >= PREVIEW_PAGES / sources.length;
  const continues = page.after !== null && last !== here.last && !isEnough;
  if (continues) {
    return { nextPage: tokenOf({ ...here, after: page.after, pages, last, isRead: true }), cursor: cursorOf(here) };
  }
  const read = { ...here.read, [source.key]: here.startedAt };
  return nextSource(sources, { ...here, read, isRead: true });
}

function nextSource(sources: readonly Source[], here: Position): Pick<Page, "nextPage" | "cursor"> {
  const next = sources.find(({ key }) => key > (here.source ?? ""));
  const cursor = cursorOf(here);
  return { nextPage: next === undefined ? null : tokenOf(beginSource(here, next.key)), cursor };
}

/** Throws if this was the last source and none could be read. */
function problemStep<S extends Source>(
  walk: Walk<S>,
  { source, sources, here }: Place<S>,
  { error, since }: { error: SourceError; since: number },
): Step {
  const message = `${source.label} cannot be read. ${error.message}`;
  const problem = problemAfter(here.problem, error, message);
  const next = nextSource(sources, { ...here, problem });
  if (next.nextPage === null && !here.isRead) throw failureOf(problem, sources);
  const from = here.read[source.key] ?? since;
  const reason: GapReason = error.kind === "budget" ? "budget" : error.isForbidden ? "not_configured" : "outage";
  const gaps = from < walk.now() ? [{ from, to: walk.now(), reason }] : [];
  return { page: { postings: [], skipped: 0, requests: error.requests, gaps, ...next }, warnings: [message] };
}

function problemAfter(before: Problem | null, { kind, retryAt, isForbidden }: SourceError, message: string): Problem {
  const own = { kind: kind === "budget" ? kind : "permanent", message, isForbidden } as const;
  const times = [retryAt, before?.retryAt].filter((time) => typeof time === "number");
  const until = times.length === 0 ? null : Math.min(...times);
  if (before === null) return { ...own, retryAt: until, count: 1 };
  // A budget is free again by itself, so it decides what becomes of the search.
  const shown = before.kind === "budget" || own.kind !== "budget" ? before : own;
  return { ...shown, isForbidden: before.isForbidden && isForbidden, retryAt: until, count: before.count + 1 };
}

/** None of the sources can be read. What the owner of a search named does not close the platform for others. */
function failureOf({ kind, message, retryAt, isForbidden, count }: Problem, sources: readonly Source[]): PlatformError {
  const text = count === 1 ? message : `None of ${count} can be read. ${message}`;
  const isOfServer = sources.some((source) => source.isOfServer);
  if (isForbidden && isOfServer) return new PlatformError("auth", text);
  return new PlatformError(kind, text, { retryAt: retryAt ?? undefined });
}

/** Undefined digests of empty pages differ from none: a page without postings says nothing about the next one. */
function digestOf({ postings }: SourcePage): string | null {
  if (postings.length === 0) return null;
  const ids = postings.map(({ socialId }) => socialId ?? "");
  return createHash("sha256").update(JSON.stringify(ids)).digest("base64url").slice(0, 16);
}

interface SourceErrorDetails {
  readonly isForbidden?: boolean;
  readonly isMissing?: boolean;
  readonly retryAt?: number;
  readonly requests?: number;
}

/** Why one page, hashtag or account cannot be read, although others may be. */
export class SourceError extends PlatformError {
  /** Whether the app or its token lacks a permission for the source. */
  readonly isForbidden: boolean;
  /** Whether the platform says that it does not exist, or is not shown to the app. */
  readonly isMissing: boolean;

  constructor(
    kind: Extract<PlatformErrorKind, "permanent" | "budget">,
    message: string,
    { isForbidden = false, isMissing = false, ...details }: SourceErrorDetails = {},
  ) {
    super(kind, message, details);
    this.isForbidden = isForbidden;
    this.isMissing = isMissing;
  }
}

/** By source, up to when it has been read, in milliseconds since the epoch. */
const readSchema = z.record(z.string(), z.number());
const cursorSchema = z.object({ since: z.number(), read: readSchema });

const problemSchema = z.object({
  kind: z.enum(["permanent", "budget"]),
  message: z.string(),
  retryAt: z.number().nullable(),
  isForbidden: z.boolean(),
  /** Sources that have such a problem. */
  count: z.int(),
});

const positionSchema = z.object({
  since: z.number(),
  read: readSchema,
  /** Key of the source; null: the first one. */
  source: z.string().nullable(),
  after: z.string().nullable(),
  /** Pages of this source that were read. */
  pages: z.int(),
  /** Digest of the last page, to notice pages that lead to themselves. */
  last: z.string().nullable(),
  /** When the first page of this source was asked for. */
  startedAt: z.number(),
  /** Whether a source of this poll could be read. */
  isRead: z.boolean(),
  problem: problemSchema.nullable(),
});

/** Which page of a poll comes next, and what the poll has met so far. */
type Position = Readonly<z.output<typeof positionSchema>>;
/** The first problem of a source, and how many have one. */
type Problem = Readonly<z.output<typeof problemSchema>>;

/** The position of a page token, else the start of a poll. `since`: the oldest time that the first poll wants. */
function positionOf(pageToken: Json, cursor: Json, since: number): Position {
  const known = positionSchema.safeParse(pageToken).data;
  if (known !== undefined) return known;
  const kept = cursorSchema.safeParse(cursor).data ?? { since, read: {} };
  return { ...kept, ...START, startedAt: 0, isRead: false, problem: null, source: null };
}

const START = { after: null, pages: 0, last: null };

/** The first page of a source. */
function beginSource(position: Position, source: string): Position {
  return { ...position, ...START, source };
}

function tokenOf(position: Position): Json {
  return { ...position, read: { ...position.read }, problem: position.problem && { ...position.problem } };
}

function cursorOf({ since, read }: Pick<Position, "since" | "read">): Json {
  return { since, read: { ...read } };
}

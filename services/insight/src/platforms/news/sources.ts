import { HttpFailure, type Json } from "@hourglass/runtime";
import * as z from "zod";
import {
  type Connector,
  type GapReason,
  type Page,
  type PageRequest,
  type Plan,
  type PlatformDeps,
  PlatformError,
  type PlatformErrorKind,
  type PlatformSearch,
  type Readiness,
} from "../connector.js";
import { maybe } from "../schemas.js";
import type { NewsConfig } from "./config.js";
import { FeedsConnector } from "./feeds/connector.js";
import { followedFeeds } from "./feeds/query.js";
import type { ReadFeed } from "./feeds/reading-thread.js";
import { FeedStore } from "./feeds/store.js";

/** What the platform uses. */
type NewsDeps = Omit<PlatformDeps, "collectInterval">;

/** The connector of feeds and of all further sources that the operator has switched on. */
export async function openNews(deps: NewsDeps, config: NewsConfig, readFeed: ReadFeed): Promise<Readiness> {
  const { http, store, log, claimMs, now } = deps;
  const feeds = await FeedStore.open(store, now, claimMs === undefined ? {} : { claimMs });
  const { collectInterval: pauses, newsFeeds: serverFeeds } = config;
  const feedsDeps = { feeds, http, readFeed, pauses, log, now, serverFeeds };
  const others = [await gdeltSource(deps, config), await newsapiSource(deps, config)].filter(
    (source) => source !== undefined,
  );
  if (others.length === 0) return { connector: new FeedsAlone(feedsDeps) };
  const isReadBy: NewsSource["isReadBy"] = (search) => followedFeeds(search, serverFeeds).urls.length > 0;
  const connector = new FeedsConnector(feedsDeps);
  return { connector: composeSources([{ name: "feeds", connector, isReadBy }, ...others], now) };
}

/** Feeds without other sources continue where they stood beside others that have been switched off. */
class FeedsAlone extends FeedsConnector {
  override fetchPage(request: PageRequest): Promise<Page> {
    return super.fetchPage({ ...request, cursor: feedsCursorOf(request.cursor) });
  }
}

async function gdeltSource(
  { http, store, claimMs, log, now }: NewsDeps,
  { gdelt }: NewsConfig,
): Promise<NewsSource | undefined> {
  if (gdelt === undefined) return undefined;
  const [{ GdeltFiles }, { GdeltConnector }, { GdeltStore }] = await Promise.all([
    import("./gdelt/api.js"),
    import("./gdelt/connector.js"),
    import("./gdelt/store.js"),
  ]);
  const { streams, keepMs, baseUrl } = gdelt;
  const files = new GdeltFiles({ http, now, baseUrl });
  const opened = await GdeltStore.open(store, now, claimMs);
  const connector = new GdeltConnector({ store: opened, files, keepMs, log, now, streams });
  return { name: "gdelt", connector, isReadBy: () => true };
}

async function newsapiSource(deps: NewsDeps, { newsapi }: NewsConfig): Promise<NewsSource | undefined> {
  if (newsapi === undefined) return undefined;
  const [{ NewsapiApi }, { NewsapiConnector }] = await Promise.all([
    import("./newsapi/api.js"),
    import("./newsapi/connector.js"),
  ]);
  const connector = new NewsapiConnector(new NewsapiApi(deps, newsapi), deps.now);
  return { name: "newsapi", connector, isReadBy: () => true };
}

/** A source whose credentials are rejected is not asked by this search for so long. */
const REJECTED_MS = 60 * 60_000;

/**
 * Several sources as one platform. Each page asks every source that is not at its end for its own page. One that
 * fails is left out of the poll, with a warning and a gap, and continues where it stood; a page fails only if all do.
 */
export function composeSources(sources: readonly NewsSource[], now: () => number): Connector {
  const connectors = sources.map(({ connector }) => connector);
  return {
    mode: "follow",
    lookBackMs: Math.max(...connectors.map(({ lookBackMs }) => lookBackMs)),
    intervalMinMs: Math.min(...connectors.map(({ intervalMinMs }) => intervalMinMs)),
    plan: (search) => planOf(sources, search),
    fetchPage: (request) => fetchPage({ sources, now }, request),
    check: async (request) => {
      for (const connector of connectors) await connector.check?.(request);
    },
  };
}

function planOf(sources: readonly NewsSource[], search: PlatformSearch): Plan {
  const plans = sources.filter((source) => source.isReadBy(search)).map(({ connector }) => connector.plan(search));
  return {
    queries: plans.flatMap(({ queries }) => queries),
    narrowedLocally: plans.some(({ narrowedLocally }) => narrowedLocally),
    cost: plans.map(({ cost }) => cost).join("; "),
    warnings: plans.flatMap(({ warnings }) => warnings),
  };
}

interface Composed {
  readonly sources: readonly NewsSource[];
  readonly now: () => number;
}

interface Turn {
  readonly source: NewsSource;
  readonly state: SourceState;
}

type Outcome = Turn & ({ readonly page: Page } | { readonly error: PlatformError });

async function fetchPage({ sources, now }: Composed, request: PageRequest): Promise<Page> {
  request.signal.throwIfAborted();
  const used = sources.filter((source) => source.isReadBy(request.search));
  const states = statesOf(request.pageToken, request.cursor);
  const turns = used.map((source): Turn => ({ source, state: stateOf(states, source.name) }));
  const waiting = turns.filter(({ state }) => state.isDone !== true && (state.until ?? 0) > now());
  const due = turns.filter((turn) => turn.state.isDone !== true && !waiting.includes(turn));
  // All of them end before the page does, so that nothing is written after it.
  const settled = await Promise.allSettled(due.map((turn) => ask(turn, request)));
  const outcomes = settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
  mustBeRead(outcomes, states);
  const after = statesAfter(states, { outcomes, waiting, now: now() });
  return pageOf({ used, outcomes, waiting, after, request, now: now() });
}

/** Throws what no source may answer for: the end of the signal, and failures of the store. */
async function ask({ source, state }: Turn, request: PageRequest): Promise<Outcome> {
  try {
    const page = await source.connector.fetchPage({ ...request, cursor: state.cursor, pageToken: state.page });
    return { source, state, page };
  } catch (error) {
    if (request.signal.aborted) throw error;
    return { source, state, error: failureOf(error) };
  }
}

function failureOf(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (!(error instanceof HttpFailure)) throw error;
  const isTemporary = !error.permanent || error.kind === "unknown-host";
  return new PlatformError(isTemporary ? "temporary" : "permanent", error.message, { cause: error });
}

/** Throws if no source could be read in this poll. */
function mustBeRead(outcomes: readonly Outcome[], { hasRead }: States): void {
  const errors = outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.error] : []));
  const [first] = errors;
  if (hasRead || first === undefined || errors.length < outcomes.length) return;
  const message = errors.length === 1 ? first.message : `No source of news can be read. ${first.message}`;
  const times = errors.flatMap(({ retryAt }) => retryAt ?? []);
  const retryAt = times.length < errors.length ? undefined : Math.min(...times);
  const requests = errors.reduce((sum, error) => sum + error.requests, 0);
  throw new PlatformError(kindOf(errors), message, { retryAt, requests, cause: first });
}

/** Credentials of one source must not stop searches that read others. */
function kindOf(errors: readonly PlatformError[]): PlatformErrorKind {
  const kinds = new Set(errors.map(({ kind }) => (kind === "auth" ? "permanent" : kind)));
  const [only = "temporary"] = kinds;
  return kinds.size === 1 ? only : "temporary";
}

interface Asked {
  readonly outcomes: readonly Outcome[];
  readonly waiting: readonly Turn[];
  readonly now: number;
}

function statesAfter(before: States, { outcomes, waiting, now }: Asked): States {
  const asked = outcomes.map((outcome) => [outcome.source.name, stateAfter(outcome, now)] as const);
  const left = waiting.map(({ source, state }) => [source.name, { ...state, isDone: true }] as const);
  const hasRead = before.hasRead || outcomes.some((outcome) => "page" in outcome);
  return { sources: { ...before.sources, ...Object.fromEntries([...asked, ...left]) }, hasRead };
}

function stateAfter(outcome: Outcome, now: number): SourceState {
  const { state } = outcome;
  if ("error" in outcome) {
    const { kind, message, retryAt } = outcome.error;
    const until = retryAt ?? (kind === "auth" ? now + REJECTED_MS : undefined);
    // What a page token refers to may be what the source refuses.
    const page = kind === "permanent" ? null : state.page;
    return { cursor: state.cursor, page, until, problem: { kind, message }, isDone: true };
  }
  const { nextPage, cursor, notBefore } = outcome.page;
  if (nextPage !== null) return { cursor: state.cursor, page: nextPage };
  return { cursor, page: null, until: notBefore, isDone: true };
}

interface Answered extends Asked {
  readonly used: readonly NewsSource[];
  readonly after: States;
  readonly request: PageRequest;
}

function pageOf({ used, outcomes, waiting, after, request, now }: Answered): Page {
  const pages = outcomes.flatMap((outcome) => ("page" in outcome ? [outcome.page] : []));
  const problems = [
    ...outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.error] : [])),
    ...waiting.flatMap(({ state }) => state.problem ?? []),
  ];
  const isLast = used.every(({ name }) => stateOf(after, name).isDone === true);
  const failedRequests = outcomes.reduce((sum, outcome) => sum + ("error" in outcome ? outcome.error.requests : 0), 0);
  return {
    postings: pages.flatMap(({ postings }) => postings),
    skipped: pages.reduce((sum, { skipped }) => sum + skipped, 0),
    requests: pages.reduce((sum, { requests }) => sum + requests, failedRequests),
    nextPage: isLast ? null : tokenOf(after),
    cursor: cursorOf(after),
    gaps: [...pages.flatMap(({ gaps = [] }) => gaps), ...gapsOf(problems, { from: request.since, to: now })],
    ...pausesOf({ used, pages, after, now }),
    warnings: [...problems.map(({ message }) => message), ...pages.flatMap(({ warnings = [] }) => warnings)],
  };
}

/** A source that was left out is read later from where it stands, so a later poll closes the gap. */
function gapsOf(problems: readonly SourceProblem[], span: { from: number; to: number }): NonNullable<Page["gaps"]> {
  if (span.from >= span.to) return [];
  return [...new Set(problems.map(({ kind }) => reasonOf(kind)))].map((reason) => ({ ...span, reason }));
}

function reasonOf(kind: PlatformErrorKind): GapReason {
  if (kind === "budget") return "budget";
  return kind === "auth" ? "not_configured" : "outage";
}

interface Paused extends Pick<Answered, "used" | "after" | "now"> {
  readonly pages: readonly Page[];
}

/** The next poll is useful when the first source is. */
function pausesOf({ used, pages, after, now }: Paused): Pick<Page, "hintNextAt" | "notBefore"> {
  const times = used.map(({ name }) => stateOf(after, name).until ?? 0);
  const hints = pages.flatMap(({ hintNextAt }) => hintNextAt ?? []);
  const notBefore = Math.min(...times);
  return {
    ...(hints.length === 0 || hints.length < used.length ? {} : { hintNextAt: Math.min(...hints) }),
    ...(notBefore > now ? { notBefore } : {}),
  };
}

/** Where news come from. The name is the key of a source's state in positions. */
export type SourceName = "feeds" | "gdelt" | "newsapi";

/** One of several sources of the platform: it reads and fails for itself. */
export interface NewsSource {
  readonly name: SourceName;
  readonly connector: Connector;
  /** Whether a search has anything to read there. */
  isReadBy(search: PlatformSearch): boolean;
}

const json = z.json().transform((value) => value);
const problemSchema = z.object({
  kind: z.enum(["auth", "rate", "budget", "temporary", "permanent"] satisfies PlatformErrorKind[]),
  message: z.string(),
});
const stateSchema = z.object({
  cursor: json,
  page: json,
  until: maybe(z.number()),
  problem: maybe(problemSchema),
  isDone: maybe(z.boolean()),
});
const statesSchema = z.object({
  sources: z.partialRecord(z.enum(["feeds", "gdelt", "newsapi"] satisfies SourceName[]), stateSchema),
  hasRead: maybe(z.boolean()),
});

/** Why a source was left out. */
export interface SourceProblem {
  readonly kind: PlatformErrorKind;
  readonly message: string;
}

/** Where one source of a search stands. */
export interface SourceState {
  /** As its connector gave it. */
  readonly cursor: Json;
  /** The page with which it continues; null: the first one after the cursor. */
  readonly page: Json;
  /** It is not asked before this time, in milliseconds since the epoch. */
  readonly until?: number | undefined;
  /** Why, if it has failed. */
  readonly problem?: SourceProblem | undefined;
  /** Whether it has ended in this poll. */
  readonly isDone?: boolean | undefined;
}

/** Where all sources of a search stand. */
export interface States {
  readonly sources: Readonly<Partial<Record<SourceName, SourceState>>>;
  /** Whether a source was read in this poll. */
  readonly hasRead: boolean;
}

const NEW: SourceState = { cursor: null, page: null };

/** The state of a source; that of a new one if it has none. */
function stateOf({ sources }: States, name: SourceName): SourceState {
  return sources[name] ?? NEW;
}

/** The states with which a page begins. A cursor from before there were several sources is that of the feeds. */
function statesOf(pageToken: Json, cursor: Json): States {
  const inPoll = statesSchema.safeParse(pageToken).data;
  if (inPoll !== undefined) return { sources: inPoll.sources, hasRead: inPoll.hasRead ?? false };
  const kept = statesSchema.safeParse(cursor).data?.sources as States["sources"] | undefined;
  return { sources: kept ?? { feeds: { ...NEW, cursor } }, hasRead: false };
}

/** The position of the feeds alone, also if there were other sources before. */
function feedsCursorOf(cursor: Json): Json {
  return stateOf(statesOf(null, cursor), "feeds").cursor;
}

/** States as a page token. */
function tokenOf({ sources, hasRead }: States): Json {
  return { sources: jsonOf(sources), hasRead };
}

/** States as a cursor: the next poll asks all sources again, each where it stands. */
function cursorOf({ sources }: States): Json {
  const entries = Object.entries(sources).map(([name, state]) => [name, { ...state, isDone: undefined }] as const);
  return { sources: jsonOf(Object.fromEntries(entries)) };
}

/** Without what is undefined. */
function jsonOf(sources: States["sources"]): Json {
  return JSON.parse(JSON.stringify(sources)) as Json;
}

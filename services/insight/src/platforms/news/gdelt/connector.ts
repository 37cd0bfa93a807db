import {
  type Connector,
  type GapReason,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
} from "../../connector.js";
import type { PostingDraft } from "../../posting-draft.js";
import { type Position, positionOf, toJson } from "../cursor.js";
import { GdeltFailure, type GdeltStream } from "./api.js";
import { type Refresh, type RefreshDeps, refreshStream } from "./refresh.js";
import type { StreamRecord } from "./store.js";

const INTERVAL_MS = 5 * 60_000;
/** Newest files of a preview: about 8,000 articles. */
const PREVIEW_FILES = 4;

export interface GdeltDeps extends RefreshDeps {
  readonly streams: readonly GdeltStream[];
}

/**
 * Articles that GDELT lists, from its bulk files. A poll fetches the files that are new, once for all searches, and then
 * reads on in what is stored, a file with each page, from its own position. The query is matched by the caller.
 */
export class GdeltConnector implements Connector {
  readonly mode = "follow";
  readonly lookBackMs: number;
  readonly intervalMinMs = INTERVAL_MS;

  constructor(private readonly deps: GdeltDeps) {
    this.lookBackMs = deps.keepMs;
  }

  plan(): Plan {
    return {
      queries: this.deps.streams.map((stream) => `GDELT's files of ${stream} articles`),
      narrowedLocally: true,
      cost: "GDELT: 1 file for each quarter of an hour, shared by all searches",
      warnings: [],
    };
  }

  async fetchPage(request: PageRequest): Promise<Page> {
    request.signal.throwIfAborted();
    const { store, streams, now } = this.deps;
    const isFirst = request.pageToken === null;
    const refresh = isFirst ? await this.refreshAll(request.signal) : NOTHING;
    const records = await store.streamsOf(streams);
    const position = positionOf(request.pageToken) ?? positionOf(request.cursor) ?? { since: request.since, read: {} };
    const page = request.search.preview
      ? { postings: await this.newestPostings(request), nextPage: null, cursor: null }
      : await this.readOn(position);
    if (isFirst && page.postings.length === 0) mustBeReadable(records, request.search);
    return {
      ...page,
      ...refresh,
      gaps: isFirst ? records.flatMap((record) => gapsOf(record, { position, request, now: now() })) : [],
      hintNextAt: Math.min(...records.map(({ dueAt }) => dueAt)),
      warnings: records.flatMap(({ problem }) => problem?.message ?? []),
    };
  }

  /** Reads the shortest list. */
  async check({ signal }: PageRequest): Promise<void> {
    const {
      files,
      streams: [stream = "english"],
    } = this.deps;
    try {
      await files.newest(stream, signal);
    } catch (error) {
      if (!(error instanceof GdeltFailure)) throw error;
      throw new PlatformError(error.problem.kind, error.message, { retryAt: error.retryAt });
    }
  }

  private async refreshAll(signal: AbortSignal): Promise<Refresh> {
    const total = { requests: 0, skipped: 0 };
    for (const record of await this.deps.store.streamsOf(this.deps.streams)) {
      const { requests, skipped } = await refreshStream(this.deps, record, signal);
      total.requests += requests;
      total.skipped += skipped;
    }
    return total;
  }

  /** The next file of the first stream that has one. */
  private async readOn(position: Position): Promise<Pick<Page, "postings" | "nextPage" | "cursor">> {
    const { store, streams } = this.deps;
    const { since } = position;
    const read: Record<string, number> = { ...position.read };
    let postings: PostingDraft[] | undefined;
    for (const stream of streams) {
      const files = await store.filesAfter(stream, { seq: read[stream] ?? 0, since, limit: 2 });
      const [file] = files;
      if (file === undefined) continue;
      if (postings !== undefined) return pageAt(postings, { since, read }, false);
      postings = (await store.postingsOf(file)).filter(({ postedAt }) => postedAt >= since);
      read[stream] = file.seq;
      if (files.length > 1) return pageAt(postings, { since, read }, false);
    }
    for (const stream of streams) read[stream] ??= 0;
    return pageAt(postings ?? [], { since, read }, true);
  }

  private async newestPostings({ since }: PageRequest): Promise<PostingDraft[]> {
    const { store, streams } = this.deps;
    const files = await Promise.all(streams.map((stream) => store.newestFiles(stream, PREVIEW_FILES)));
    const postings: PostingDraft[] = [];
    for (const file of files.flat()) postings.push(...(await store.postingsOf(file)));
    return postings.filter(({ postedAt }) => postedAt >= since).sort((a, b) => b.postedAt - a.postedAt);
  }
}

const NOTHING: Refresh = { requests: 0, skipped: 0 };

function pageAt(
  postings: readonly PostingDraft[],
  position: Position,
  isLast: boolean,
): Pick<Page, "postings" | "nextPage" | "cursor"> {
  const json = toJson(position);
  return { postings, nextPage: isLast ? null : json, cursor: json };
}

/** Throws if nothing could be read, and for a preview, which reads once, also while another search reads for the first time. */
function mustBeReadable(records: readonly StreamRecord[], { preview }: PlatformSearch): void {
  const unread = records.filter(({ problem, readAt }) => problem !== null || (preview && readAt === null));
  if (unread.length < records.length) return;
  const problem = unread.map((record) => record.problem).find((each) => each !== null);
  const { kind = "temporary", message = "GDELT's files are being fetched. They will be retried." } = problem ?? {};
  throw new PlatformError(kind, message, { retryAt: Math.min(...unread.map(({ dueAt }) => dueAt)) });
}

interface Read {
  readonly position: Position;
  readonly request: PageRequest;
  readonly now: number;
}

/** What a poll may miss; a file that is fetched later is read then, and a later poll closes its gap. */
function gapsOf(record: StreamRecord, { position, request, now }: Read): NonNullable<Page["gaps"]> {
  const { id, coversFrom, behindUntil, holes, deleted, readAt, problem } = record;
  const { since } = request;
  const isNew = position.read[id] === undefined;
  const hasMissed = deleted !== null && deleted.seq > (position.read[id] ?? 0);
  const gaps: { from: number; to: number; reason: GapReason }[] = [
    ...(isNew ? [{ from: since, to: coversFrom ?? now, reason: "before_window" as const }] : []),
    ...(hasMissed ? [{ from: since, to: deleted.until, reason: "before_window" as const }] : []),
    ...(behindUntil === null ? [] : [{ from: coversFrom ?? since, to: behindUntil, reason: "outage" as const }]),
    ...(problem === null ? [] : [{ from: readAt ?? since, to: now, reason: "outage" as const }]),
    ...holes.map((hole) => ({ ...hole, reason: "page_limit" as const })),
  ];
  return gaps.map((gap) => ({ ...gap, from: Math.max(gap.from, since) })).filter(({ from, to }) => from < to);
}

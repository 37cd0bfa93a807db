import { readEach } from "../schemas.js";
import { type FoundDraft, type LookUp, type LookUpRequest, PlatformError, type Rechecks } from "../connector.js";
import { readVideo, type TiktokPage, type TiktokVideo } from "./asking/answer.js";
import { type AskingDeps, askForVideos } from "./asking/ask-for-videos.js";
import type { TiktokQuery } from "./dialect.js";
import { dayOf, type Position } from "./position.js";
import { toPosting } from "./posting/to-posting.js";
import { idGivenAt } from "./posting/video-id.js";

const DAY_MS = 24 * 60 * 60_000;
/** The terms of the Research API have stored videos looked up every 15 days; those of some projects every 30. */
const TERM_MS = 15 * DAY_MS;
/** Videos of one page. */
const IDS_MAX = 100;
/** From the first to the last day of a request. */
const SPAN_MS_MAX = 30 * DAY_MS;
/** An id is given when a video is uploaded, which may be days before it is posted: so far ahead a video may be scheduled. */
const SCHEDULED_MS = 10 * DAY_MS;
/** TikTok finds videos up to two days late, so a younger one that is missing need not be gone. */
const LATE_MS = 3 * DAY_MS;
/** Pages are rarely full, but that many of them for one page of ids are no answer. */
const PAGES_MAX = 10;

/** Ids that one request can ask for, with the time of the first and the last one. */
interface Span {
  readonly ids: readonly string[];
  readonly first: number;
  readonly last: number;
}

/** Stored videos are asked for by their ids, those of one span of time with a request. */
export function createRechecks(deps: AskingDeps): Rechecks {
  return {
    idsMax: IDS_MAX,
    termMs: () => TERM_MS,
    canJoin: (id, others) => isOneSpan([...others, id], deps.now()),
    lookUp: (request) => lookUp(deps, request),
  };
}

async function lookUp(deps: AskingDeps, { ids, signal }: LookUpRequest): Promise<LookUp> {
  const now = deps.now();
  const span = spanOf(ids, now);
  if (span.ids.length === 0) return { found: [], gone: [] };
  const { videos, isComplete } = await readAll(deps, span, signal);
  const shown = new Set(videos.map(({ id }) => id));
  const isOld = (id: string): boolean => (idGivenAt(id, now) ?? now) < now - LATE_MS;
  return {
    found: videos.map(toFound),
    gone: isComplete ? span.ids.filter((id) => !shown.has(id) && isOld(id)) : [],
  };
}

/** What is spoken is part of the text only in searches that ask for it. */
function toFound(video: TiktokVideo): FoundDraft {
  const { text: audialText } = toPosting(video, { isSpoken: true });
  return { ...toPosting(video, { isSpoken: false }), ...(audialText !== undefined && { audialText }) };
}

/** Whether one request can ask for all ids but those that TikTok never gave. */
function isOneSpan(ids: readonly string[], now: number): boolean {
  const sent = ids.filter((id) => idGivenAt(id, now) !== undefined);
  return spanOf(sent, now).ids.length === sent.length;
}

/** The earliest of the ids and those that fit into one request with it. */
function spanOf(ids: readonly string[], now: number): Span {
  const given = ids.flatMap((id) => {
    const at = idGivenAt(id, now);
    return at === undefined ? [] : [{ id, at }];
  });
  const first = given.reduce((earliest, { at }) => Math.min(earliest, at), Infinity);
  const fitting = given.filter(({ at }) => at - first <= SPAN_MS_MAX - SCHEDULED_MS - 2 * DAY_MS);
  const last = fitting.reduce((latest, { at }) => Math.max(latest, at), first);
  return { ids: fitting.map(({ id }) => id), first, last };
}

/** Reads pages until TikTok says that there are no more. It is not complete if a part of it could not be read. */
async function readAll(
  deps: AskingDeps,
  { ids, first, last }: Span,
  signal: AbortSignal,
): Promise<{ videos: readonly TiktokVideo[]; isComplete: boolean }> {
  const query: TiktokQuery = {
    and: [{ operation: "IN", field_name: "video_id", field_values: ids }],
    or: [],
    not: [],
  };
  const until = Math.max(last, Math.min(deps.now(), last + SCHEDULED_MS));
  const videos = new Map<string, TiktokVideo>();
  let position: Position = { query: 0, cursor: 0, searchId: null, from: dayOf(first - DAY_MS), to: dayOf(until) };
  let skippedAny = false;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { page } = await askForVideos(deps, { query, position }, { search: { preview: false }, signal });
    const { items, skipped } = videosOf(page);
    for (const video of items) videos.set(video.id, video);
    skippedAny ||= skipped > 0;
    const { has_more: hasMore, cursor, search_id: searchId } = page;
    if (hasMore !== true || cursor === undefined || cursor <= position.cursor) {
      return { videos: [...videos.values()], isComplete: hasMore === false && !skippedAny };
    }
    position = { ...position, cursor, searchId: searchId ?? position.searchId };
  }
  return { videos: [...videos.values()], isComplete: false };
}

function videosOf({ videos }: TiktokPage): { items: readonly TiktokVideo[]; skipped: number } {
  if (Array.isArray(videos)) return readEach(videos, readVideo);
  throw new PlatformError("temporary", "TikTok returns no list of videos. It will be retried.");
}

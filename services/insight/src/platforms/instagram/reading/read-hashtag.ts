import { readEach } from "../../schemas.js";
import type { Graph } from "../../meta/graph/graph.js";
import { type SourceAt, type SourcePage, SourceError } from "../../sources.js";
import { type Page, type PageRequest, PlatformError } from "../../connector.js";
import { type Hashtag, withWords } from "../../hashtags.js";
import type { HashtagLedger } from "../hashtags/hashtag-ledger.js";
import { readHashtagId, readMedia, readMediaList } from "../posting/media.js";
import { hashtagMediaToPosting } from "../posting/to-posting.js";
import { cutOff } from "./cut-off.js";
import { HASHTAG_FIELDS, MEDIA_MAX } from "./fields.js";

const HOUR_MS = 60 * 60_000;
/** Instagram returns media of a hashtag for this time after they were posted. */
const WINDOW_MS = 24 * HOUR_MS;
/** Media come in no strict order, and some late. */
const LATE_MS = HOUR_MS;

export interface HashtagReading {
  readonly graph: Graph;
  readonly ledger: HashtagLedger;
  /** In whose name Instagram is asked. */
  readonly userId: string;
  readonly hashtag: Hashtag;
  readonly at: SourceAt;
  readonly request: PageRequest;
  readonly now: number;
}

/** Reads one page of the media of the last day that carry a hashtag. */
export async function readHashtagPage(reading: HashtagReading): Promise<SourcePage> {
  const { graph, ledger, userId, hashtag, at, request } = reading;
  await ledger.reserve(hashtag.name, request.search);
  const known = await ledger.idOf(hashtag.name);
  const id = known ?? (await findHashtag(reading));
  const parameters = {
    user_id: userId,
    fields: HASHTAG_FIELDS,
    limit: String(MEDIA_MAX),
    after: at.after ?? undefined,
  };
  const list = readMediaList(await graph.ask(`/${encodeURIComponent(id)}/recent_media`, parameters, request));
  if (list === undefined) {
    throw new PlatformError("temporary", "Instagram returns no page of media. It will be retried.");
  }
  const { items, skipped } = readEach(list.data, readMedia);
  const from = Math.max(at.since, (at.readUntil ?? 0) - LATE_MS);
  const wanted = items.filter(({ timestamp }) => timestamp >= from);
  const rest = cutOff(wanted.length === 0 ? undefined : list.paging?.after, { wanted, at, from });
  return {
    postings: wanted.map((item) => withWords(hashtagMediaToPosting(item, hashtag.name), hashtag)),
    skipped,
    requests: known === undefined ? 2 : 1,
    after: rest.after,
    gaps: [...windowGaps(reading), ...(rest.gaps ?? [])],
  };
}

async function findHashtag({ graph, ledger, userId, hashtag, request }: HashtagReading): Promise<string> {
  const body = await graph.ask("/ig_hashtag_search", { user_id: userId, q: hashtag.name }, request);
  const id = readHashtagId(body);
  if (id === undefined) throw new SourceError("permanent", "Instagram does not know it.");
  await ledger.keepId(hashtag.name, id);
  return id;
}

/** What Instagram no longer returns. */
function windowGaps({ at, now }: HashtagReading): NonNullable<Page["gaps"]> {
  const wanted = at.readUntil ?? at.since;
  const window = now - WINDOW_MS;
  return at.pages === 0 && wanted < window ? [{ from: wanted, to: window, reason: "before_window" }] : [];
}

import {
  type Connector,
  type Page,
  type PageRequest,
  type Plan,
  PlatformError,
  type PlatformSearch,
  type RequestContext,
} from "../connector.js";
import type { Graph } from "../graph.js";
import { type Hashtag, hashtagsFor, withWords } from "../hashtags.js";
import { readEach } from "../schemas.js";
import { readNext, type SourceAt, SourceError, type SourcePage, type Walk } from "../sources.js";
import {
  ACCOUNT_FIELDS,
  HASHTAG_FIELDS,
  type InstagramMedia,
  MEDIA_MAX,
  readAccount,
  readHashtagId,
  readMedia,
  readMediaList,
} from "./api.js";
import type { HashtagLedger } from "./hashtag-ledger.js";
import { accountMediaToPosting, hashtagMediaToPosting } from "./posting.js";
import { type InstagramSource, sourcesOf, warningsOf } from "./query.js";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
const INTERVAL_MS_MIN = HOUR_MS / 2;
/** Media of an account of this time are read again with every poll, because counts and captions change. */
const AGAIN_MS = DAY_MS;
/** An account may pin that many old media in front of its newest. */
const PINNED_MAX = 3;
/** Instagram returns media of a hashtag for this time after they were posted. */
const WINDOW_MS = DAY_MS;
/** Media of a hashtag come in no strict order, and some late. */
const LATE_MS = HOUR_MS;
/** Pages of one source in a poll. */
const PAGES_MAX = 20;
const NOTHING =
  "Instagram cannot be asked for any of these keywords. Use words that can be hashtags, or ask the operator to set INSTAGRAM_ACCOUNTS.";

export interface InstagramOptions {
  /** Id of the account in whose name Instagram is asked. */
  readonly userId: string;
  /** Accounts that every search follows. */
  readonly accounts: readonly string[];
  readonly hashtagsPerWeek: number;
  readonly now: () => number;
}

/** Media by hashtags and of followed accounts. The query is matched by the caller. */
export class InstagramConnector implements Connector {
  readonly mode = "follow";
  readonly lookBackMs = LOOK_BACK_MS;
  readonly intervalMinMs = INTERVAL_MS_MIN;
  private readonly walk: Walk<InstagramSource>;

  constructor(
    private readonly graph: Graph,
    private readonly ledger: HashtagLedger,
    private readonly options: InstagramOptions,
  ) {
    const { accounts, now } = options;
    this.walk = {
      sourcesOf: ({ query }) => sourcesOf(hashtagsFor(query), accounts),
      read: (source, at, request) =>
        source.kind === "account"
          ? this.readAccountPage(source.name, at, request)
          : this.readHashtagPage(source.hashtag, at, request),
      warningsOf: (search) => warningsOf(hashtagsFor(search.query), accounts),
      nothing: NOTHING,
      notBefore: () => graph.notBefore,
      now,
    };
  }

  plan(search: PlatformSearch): Plan {
    const { accounts, hashtagsPerWeek } = this.options;
    const plan = hashtagsFor(search.query);
    const sources = sourcesOf(plan, accounts);
    return {
      queries: sources.map((source) => (source.kind === "account" ? `@${source.name}` : `#${source.hashtag.name}`)),
      narrowedLocally: true,
      cost: `${plan.hashtags.length} of the ${hashtagsPerWeek} different hashtags that all insights may use in seven days`,
      warnings: [...warningsOf(plan, accounts), ...(sources.length === 0 ? [NOTHING] : [])],
    };
  }

  fetchPage(request: PageRequest): Promise<Page> {
    return readNext(this.walk, request);
  }

  async check(request: PageRequest): Promise<void> {
    await this.graph.get(`/${this.options.userId}`, { fields: "id" }, request);
  }

  /** Reads one page of the media of a professional account, newest first. */
  private async readAccountPage(name: string, at: SourceAt, context: RequestContext): Promise<SourcePage> {
    const media = `media.limit(${MEDIA_MAX})${at.after === null ? "" : `.after(${at.after})`}{${ACCOUNT_FIELDS}}`;
    const fields = `business_discovery.username(${name}){id,username,name,${media}}`;
    const account = readAccount(await this.graph.get(`/${this.options.userId}`, { fields }, context));
    if (account === undefined) {
      throw new PlatformError("temporary", "Instagram returns no account. It will be retried.");
    }
    const { items, skipped } = readEach(account.media?.data, readMedia);
    const from = Math.max(at.since, (at.readUntil ?? 0) - AGAIN_MS);
    const wanted = items.filter(({ timestamp }) => timestamp >= from);
    const isPast = wanted.length === 0 || items.length - wanted.length > PINNED_MAX;
    const next = isPast ? undefined : account.media?.paging?.after;
    return {
      postings: wanted.map((item) => accountMediaToPosting(item, account, name)),
      skipped,
      requests: 1,
      ...cutOff(next, { wanted, at, from }),
    };
  }

  /** Reads one page of the media of the last day that carry a hashtag. */
  private async readHashtagPage(hashtag: Hashtag, at: SourceAt, context: RequestContext): Promise<SourcePage> {
    await this.ledger.reserve(hashtag.name, context.search);
    const known = await this.ledger.idOf(hashtag.name);
    const id = known ?? (await this.findHashtag(hashtag, context));
    const parameters = {
      user_id: this.options.userId,
      fields: HASHTAG_FIELDS,
      limit: String(MEDIA_MAX),
      after: at.after ?? undefined,
    };
    const list = readMediaList(await this.graph.get(`/${encodeURIComponent(id)}/recent_media`, parameters, context));
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
      gaps: [...windowGaps(at, this.options.now()), ...(rest.gaps ?? [])],
    };
  }

  private async findHashtag({ name }: Hashtag, context: RequestContext): Promise<string> {
    const body = await this.graph.get("/ig_hashtag_search", { user_id: this.options.userId, q: name }, context);
    const id = readHashtagId(body);
    if (id === undefined) throw new SourceError("permanent", "Instagram does not know it.");
    await this.ledger.keepId(name, id);
    return id;
  }
}

/** What Instagram no longer returns. */
function windowGaps(at: SourceAt, now: number): NonNullable<Page["gaps"]> {
  const wanted = at.readUntil ?? at.since;
  const window = now - WINDOW_MS;
  return at.pages === 0 && wanted < window ? [{ from: wanted, to: window, reason: "before_window" }] : [];
}

interface Read {
  /** One or more media of the wanted time, if there is a next page. */
  readonly wanted: readonly InstagramMedia[];
  readonly at: SourceAt;
  /** Oldest wanted time, in milliseconds since the epoch. */
  readonly from: number;
}

/** Where a source continues; after too many pages it does not, and what is older than the last page is a gap. */
function cutOff(next: string | undefined, { wanted, at, from }: Read): Pick<SourcePage, "after" | "gaps"> {
  if (next === undefined) return { after: null };
  if (at.pages + 1 < PAGES_MAX) return { after: next };
  const oldest = Math.min(...wanted.map(({ timestamp }) => timestamp));
  return { after: null, ...(oldest > from && { gaps: [{ from, to: oldest, reason: "page_limit" }] }) };
}

import type { Graph } from "../meta/graph/graph.js";
import { readNext, type Walk } from "../sources.js";
import type { Connector, Plan, PlatformDeps, PlatformSearch } from "../connector.js";
import type { HashtagLedger } from "./hashtags/hashtag-ledger.js";
import { hashtagsFor } from "../hashtags.js";
import { readAccountPage } from "./reading/read-account.js";
import { readHashtagPage } from "./reading/read-hashtag.js";
import { type InstagramSource, sourcesOf, warningsOf } from "./sources.js";

const MINUTE_MS = 60_000;
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS;
const INTERVAL_MS_MIN = 30 * MINUTE_MS;
const NOTHING =
  "Instagram cannot be asked for any of these keywords. Use words that can be hashtags, or ask the operator to set INSTAGRAM_ACCOUNTS.";

export interface InstagramDeps extends Pick<PlatformDeps, "now"> {
  readonly graph: Graph;
  readonly ledger: HashtagLedger;
  /** Id of the account in whose name Instagram is asked. */
  readonly userId: string;
  /** Accounts that every search follows. */
  readonly accounts: readonly string[];
  readonly hashtagsPerWeek: number;
}

/** Media by hashtags and of followed accounts. The query is matched by the caller. */
export function createInstagramConnector(deps: InstagramDeps): Connector {
  const { graph, ledger, userId, accounts, now } = deps;
  const walk: Walk<InstagramSource> = {
    sourcesOf: ({ query }) => sourcesOf(hashtagsFor(query), accounts),
    read: (source, at, request) => {
      if (source.kind === "account") return readAccountPage({ graph, userId, name: source.name, at, request });
      return readHashtagPage({ graph, ledger, userId, hashtag: source.hashtag, at, request, now: now() });
    },
    warningsOf: (search) => warningsOf(hashtagsFor(search.query), accounts),
    nothing: NOTHING,
    notBefore: () => graph.notBefore,
    now,
  };
  return {
    mode: "follow",
    lookBackMs: LOOK_BACK_MS,
    intervalMinMs: INTERVAL_MS_MIN,
    plan: (search) => planOf(deps, search),
    fetchPage: (request) => readNext(walk, request),
    check: async (request) => void (await graph.ask(`/${userId}`, { fields: "id" }, request)),
  };
}

function planOf({ accounts, hashtagsPerWeek }: InstagramDeps, search: PlatformSearch): Plan {
  const plan = hashtagsFor(search.query);
  const sources = sourcesOf(plan, accounts);
  return {
    queries: sources.map((source) => (source.kind === "account" ? `@${source.name}` : `#${source.hashtag.name}`)),
    narrowedLocally: true,
    cost: `${plan.hashtags.length} of the ${hashtagsPerWeek} different hashtags that all insights may use in seven days`,
    warnings: [...warningsOf(plan, accounts), ...(sources.length === 0 ? [NOTHING] : [])],
  };
}

import {
  type Connector,
  type InsightRecord,
  type LookUp,
  newInsight,
  type PostingDraft,
} from "@hourglass/insight/postings";

export const COMPANY = 7;
export const PLATFORM = "twitter";
/** Postings that are stored, each in two insights. */
export const STORED = 60;
/** Few, so that a round has several turns. */
export const ASKED_AT_ONCE = 2;
export const TERM_MS = 24 * 60 * 60_000;

export const INSIGHTS: readonly InsightRecord[] = [1, 2].map((id) =>
  newInsight({
    id,
    companyId: COMPANY,
    query: {
      keywords: "kestrel",
      platforms: [PLATFORM],
      dimensions: ["textual"],
      location: "",
      sneakPeek: false,
      follow: { feeds: [], subreddits: [], pages: [], organisations: [] },
    },
    terms: "kestrel",
    createdAt: 0,
  }),
);

export const drafts = (): PostingDraft[] => Array.from({ length: STORED }, (_, number) => draft(number));

function draft(number: number): PostingDraft {
  return { socialId: `s${number}`, postedAt: number * 60_000, text: `A kestrel, number ${number}` };
}

/** What has become of the posting on the platform since it was stored; undefined: it is gone. */
export function upstream(socialId: string): PostingDraft | undefined {
  const number = Number(socialId.slice(1));
  if (number % 5 === 0) return undefined;
  return { ...draft(number), ...(number % 3 === 0 && { text: `A kestrel, number ${number}, edited` }) };
}

/** A platform that can only be asked for postings by their ids; `onAsked` is called before each answer. */
export function recheckedPlatform(onAsked: (ids: readonly string[]) => Promise<void>): Connector {
  const lookUp = async ({ ids }: { ids: readonly string[] }): Promise<LookUp> => {
    await onAsked(ids);
    return { found: ids.flatMap((id) => upstream(id) ?? []), gone: ids.filter((id) => upstream(id) === undefined) };
  };
  return {
    mode: "search",
    lookBackMs: TERM_MS,
    intervalMinMs: 0,
    plan: () => ({ queries: [], narrowedLocally: false, cost: "1 request", warnings: [] }),
    fetchPage: () => Promise.reject(new Error("nothing is searched")),
    rechecks: { idsMax: ASKED_AT_ONCE, termMs: () => TERM_MS, lookUp },
  };
}

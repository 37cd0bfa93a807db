import { deleteStep, type Logger, type Store } from "@hourglass/runtime";
import type { Collections } from "../../store/collections.js";
import { analyseMedia, type AnalyseMediaDeps } from "./analyse-media.js";
import { analyseWords, type AnalyseWordsDeps } from "./analyse-words.js";
import { type Attempt, endWork, type EndWorkDeps, isHopeless } from "./end-work.js";
import { noResults, type Subject } from "./posting-results.js";
import type { ClaimedWork } from "./work-claims.js";

export interface AnalysePostingsDeps extends AnalyseWordsDeps, AnalyseMediaDeps, EndWorkDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "postings" | "work" | "insights" | "dirtyBuckets">;
  /**
   * Stores results of one batch after another, companies by turns: side by side they would only repeat each other's
   * transactions.
   */
  inTurn: (companyId: number, store: () => Promise<void>) => Promise<void>;
  onTimed: AnalyseWordsDeps["onTimed"] & AnalyseMediaDeps["onTimed"];
  log: Logger;
}

/** After so many claims without a result, a posting is analysed alone, so that it cannot spoil those of others. */
const TOGETHER_CLAIMS_MAX = 3;

/**
 * Does claimed work: postings with words only together, those with media and those that failed on our side each by
 * itself. Rejects once all have ended if one of them failed on our side, or if the signal aborts.
 */
export async function analysePostings(
  deps: AnalysePostingsDeps,
  claimed: ClaimedWork,
  signal: AbortSignal,
): Promise<void> {
  const subjects = await readSubjects(deps, claimed);
  const [hopeless, possible] = split(subjects, isHopeless);
  const [alone, together] = split(
    possible,
    (subject) => hasMedia(subject) || subject.work.claims > TOGETHER_CLAIMS_MAX,
  );
  const ends = await Promise.allSettled([
    end(deps, claimed, hopeless.map(givenUp)),
    analyseTogether(deps, { claimed, subjects: together, signal }),
    ...alone.map((subject) => analyseTogether(deps, { claimed, subjects: [subject], signal })),
  ]);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** The postings of the work; work without a posting is ended. */
async function readSubjects({ store, collections }: AnalysePostingsDeps, claimed: ClaimedWork): Promise<Subject[]> {
  const { works, holder } = claimed;
  const { postings, insights, work } = collections;
  const [foundPostings, foundInsights] = await Promise.all([
    postings.find({ id: { in: works.map(({ id }) => id) } }),
    insights.find({ id: { in: [...new Set(works.map(({ insightId }) => insightId))] }, status: { ne: "deleted" } }),
  ]);
  const postingOf = new Map(foundPostings.map((posting) => [posting.id, posting]));
  const insightOf = new Map(foundInsights.map((insight) => [insight.id, insight]));
  const subjects = works.flatMap((each) => {
    const [posting, insight] = [postingOf.get(each.id), insightOf.get(each.insightId)];
    return posting === undefined || insight === undefined ? [] : [{ work: each, posting, insight }];
  });
  if (subjects.length < works.length) {
    const left = new Set(subjects.map((subject) => subject.work.id));
    const gone = works.filter(({ id }) => !left.has(id)).map(({ id }) => id);
    await store.commit([deleteStep(work, { id: { in: gone }, holder })]);
  }
  return subjects;
}

interface Group {
  claimed: ClaimedWork;
  subjects: readonly Subject[];
  signal: AbortSignal;
}

async function analyseTogether(deps: AnalysePostingsDeps, { claimed, subjects, signal }: Group): Promise<void> {
  if (subjects.length === 0) return;
  const attempts: Attempt[] = subjects.map((subject) => ({ ...subject, results: noResults() }));
  const words = await Promise.all(
    attempts.map(async (attempt) => {
      const { posting, insight, results } = attempt;
      const own = insight.query.dimensions.includes("textual") ? (posting.content.text ?? "") : "";
      const spoken = hasMedia(attempt) ? await analyseMedia(deps, attempt, { into: results, signal }) : "";
      const text = [own, spoken].filter((part) => part !== "").join("\n");
      return { companyId: posting.companyId, text, into: results };
    }),
  );
  await analyseWords(deps, words, signal);
  await end(deps, claimed, attempts);
}

async function end(
  deps: AnalysePostingsDeps,
  { holder, companyId, ending }: ClaimedWork,
  attempts: readonly Attempt[],
): Promise<void> {
  await deps.inTurn(companyId, () => {
    for (const { work } of attempts) ending.add(work.id);
    return endWork(deps, holder, attempts);
  });
}

function hasMedia({ posting, insight: { query } }: Subject): boolean {
  const isAsked = query.dimensions.includes("audial") || query.dimensions.includes("visual");
  return isAsked && (posting.content.media?.length ?? 0) > 0;
}

function givenUp(subject: Subject): Attempt {
  const errors = { analysis: "It ended the process that analysed it, or was interrupted, too often." };
  return { ...subject, results: { ...noResults(), errors } };
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

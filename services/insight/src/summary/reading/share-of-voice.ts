import type { InsightRecord } from "../../records/insight.js";
import { newLists } from "../counting/tally.js";
import { Buckets, type BucketsDeps } from "./buckets.js";
import { countPostings } from "./count-postings.js";
import type { Overview } from "./overview.js";
import type { Question } from "./read-request.js";

/** How much is said about an insight, and by how many. */
export interface Voice {
  insight: Pick<InsightRecord, "id" | "terms">;
  postings: number;
  authors: number;
  /** By how much the number of authors may be too low at most. */
  authorError: number;
}

/** The insight of the summary and those to compare it with, in that order; none if there are none to compare with. */
export async function compareVoices(deps: BucketsDeps, question: Question, own: Overview): Promise<Voice[]> {
  if (question.others.length === 0) return [];
  const voices = [voiceOf(question.insight, { postings: own.totals.postings, lists: own.lists })];
  for (const insight of question.others) voices.push(await readVoice(deps, { ...question, insight }));
  return voices;
}

async function readVoice(deps: BucketsDeps, question: Question): Promise<Voice> {
  const { insight, span, platforms } = question;
  if (question.fits !== undefined) {
    const { totals, lists } = await countPostings(deps.collections, question, deps.signal);
    return voiceOf(insight, { postings: totals.postings, lists });
  }
  const buckets = await Buckets.open(deps, insight, span);
  let postings = 0;
  for await (const { parts } of buckets.read(span, "month")) {
    for (const part of parts) if (platforms?.has(part.platform) ?? true) postings += part.postings;
  }
  const { authors } = newLists();
  await buckets.addLists(span, { authors }, platforms);
  return voiceOf(insight, { postings, lists: { authors } });
}

function voiceOf(
  { id, terms }: InsightRecord,
  { postings, lists: { authors } }: { postings: number; lists: Pick<Overview["lists"], "authors"> },
): Voice {
  return { insight: { id, terms }, postings, authors: authors.size, authorError: authors.dropped };
}

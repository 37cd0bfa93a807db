import type { PoolAnalyzeOptions, TextAnalysis, TextAnalyst, TextualAnalysis } from "@hourglass/analysis";
import { firstCharacters } from "../storing/prepare-draft.js";
import type { PostingResults } from "./posting-results.js";
import { topicsOfPosting } from "./topics.js";

/** Analysed characters of a text, in code points. */
const CHARACTERS_MAX = 20_000;

const ANALYSES = ["sentiment-real", "intention", "topic", "spam-detection"] as const satisfies TextualAnalysis[];

/** The words of a posting, and where their results go. */
export interface Words {
  companyId: number;
  text: string;
  into: PostingResults;
}

export interface AnalyseWordsDeps {
  texts: TextAnalyst;
  onTimed: NonNullable<PoolAnalyzeOptions["onTimed"]>;
}

/** Analyses the words of postings in the background; blank ones have no results. Rejects if the signal aborts. */
export async function analyseWords(
  deps: AnalyseWordsDeps,
  words: readonly Words[],
  signal: AbortSignal,
): Promise<void> {
  const owners = new Map<number, Words[]>();
  for (const each of words) {
    if (each.text.trim() === "") continue;
    const same = owners.get(each.companyId);
    if (same === undefined) owners.set(each.companyId, [each]);
    else same.push(each);
  }
  await Promise.all([...owners].map(([owner, same]) => analyseOf(deps, { owner, words: same, signal })));
}

async function analyseOf(
  { texts, onTimed }: AnalyseWordsDeps,
  { owner, words, signal }: { owner: number; words: readonly Words[]; signal: AbortSignal },
): Promise<void> {
  const analysed = words.map(({ text }) => firstCharacters(text, CHARACTERS_MAX));
  const outcomes = await texts.analyze(analysed, ANALYSES, { owner, background: true, signal, onTimed });
  words.forEach(({ text, into }, index) => {
    const [read, outcome] = [analysed[index], outcomes[index]];
    if (read === undefined || outcome === undefined) throw new Error("the pool answered too few outcomes");
    fill(into, outcome, read);
    if (read !== text) into.moreInfo.text_analysed_to = CHARACTERS_MAX;
  });
}

function fill(into: PostingResults, { results, errors }: TextAnalysis, text: string): void {
  into.sentiment = results["sentiment-real"]?.value ?? null;
  into.intention = results.intention?.value ?? null;
  into.topics = topicsOfPosting(results.topic ?? [], text);
  const spam = results["spam-detection"];
  if (spam !== undefined) into.moreInfo.spam = { value: spam.value, prob: spam.prob };
  Object.assign(into.errors, errors);
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { COMMON_WORDS_FILE, MODEL_FOLDER, tokenize } from "@hourglass/analysis/topic";
import { say } from "../report.js";

/** Data sets of posts whose words are counted. */
const DATA_SETS = ["sentiment-simple", "sentiment-real", "goemotions-raw", "intention", "spam", "topic-ner"];
/** Rarer words are mostly misspellings, and useless for ranking. */
const COUNT_MIN = 5;
const WORDS_MAX = 24_000;

/**
 * Counts the words of the training parts and writes the frequent ones, the most frequent first: a word's rank
 * determines its specificity and where hashtags are split.
 */
export const countWords = (dataDir: string): void => {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (const name of DATA_SETS) {
    const lines = gunzipSync(readFileSync(join(dataDir, name, "train.jsonl.gz"))).toString("utf8");
    for (const line of lines.trimEnd().split("\n")) {
      const { text } = JSON.parse(line) as { text: string };
      if (seen.has(text)) continue;
      seen.add(text);
      countIn(text, counts);
    }
  }
  const words = [...counts]
    .filter(([, times]) => times >= COUNT_MIN)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, WORDS_MAX)
    .map(([word]) => word);
  writeFileSync(new URL(COMMON_WORDS_FILE, MODEL_FOLDER), `${words.join("\n")}\n`);
  say(`topic: ${words.length} common words from ${seen.size} texts`);
};

const countIn = (text: string, counts: Map<string, number>): void => {
  for (const { text: token, kind } of tokenize(text)) {
    if (kind !== "word" || !/^[A-Za-z]{1,20}$/.test(token) || /(.)\1\1/i.test(token)) continue;
    const word = token.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
};

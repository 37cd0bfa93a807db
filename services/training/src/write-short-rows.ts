import { readFileSync, writeFileSync } from "node:fs";
import { lettersOf } from "./datasets.js";
import { readProbes } from "./probes.js";
import { createRandom } from "./random.js";

/**
 * Writes `written/en-short.tsv`: texts of one to three words that say nothing of a mood. Of a longer list they would be
 * topics; alone they teach the encoder to be unsure. Deterministic; run `node services/training/dist/write-short-rows.js`.
 */
const MODELS = new URL("../../analysis/models/", import.meta.url);
const SEED = 29;
/** Rows of each kind. */
const COUNT = 90;
const DETERMINERS = ["a", "the", "my", "this", "some", "your", "that", "two"];
const REPLIES = [
  "no",
  "yes",
  "yep",
  "nope",
  "nah",
  "yeah",
  "ok",
  "okay",
  "k",
  "sure",
  "maybe",
  "perhaps",
  "same",
  "idk",
  "hm",
  "hmm",
  "huh",
  "oh",
  "ah",
  "lol",
  "haha",
  "hehe",
  "lmao",
  "hahaha",
  "heh",
  "well",
  "so",
  "and",
  "but",
  "also",
  "anyway",
  "what",
  "who",
  "when",
  "where",
  "which one",
  "me too",
  "me neither",
  "not me",
  "you too",
  "i see",
  "i know",
  "i guess",
  "i think so",
  "not sure",
  "no idea",
  "of course",
  "right now",
  "just now",
  "later",
  "soon",
  "see you",
  "see ya",
  "bye",
  "hi",
  "hey",
  "hello",
  "good morning",
  "hey there",
  "hi all",
  "morning all",
  "hello everyone",
  "done",
  "on it",
  "will do",
  "noted",
  "sent",
  "check",
  "next",
  "first",
  "again",
  "still here",
  "anyone",
  "someone",
  "nothing",
  "something",
  "whatever you say",
  "it depends",
  "as usual",
  "so so",
  "at home",
  "at work",
  "on the bus",
  "in bed",
  "back home",
  "tomorrow then",
  "this one",
  "that one",
  "the other one",
];

const linesOf = (file: string): string[] => readFileSync(new URL(file, MODELS), "utf8").trimEnd().split("\n");

const main = (): void => {
  const random = createRandom(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const polar = new Set(["lexicon/vader.txt", "lexicon/afinn.txt"].flatMap(linesOf).map((line) => line.split("\t")[0]));
  const words = linesOf("topic/common-words.txt").slice(150, 5000);
  const plain = words.filter((word) => /^[a-z]{3,9}$/.test(word) && !polar.has(word));
  const names = linesOf("gazetteers/first-names.txt");
  const cities = linesOf("gazetteers/cities.txt").slice(0, 400);
  const capitalized = (name: string): string => name.replace(/(?<![\p{L}'])\p{L}/gu, (letter) => letter.toUpperCase());
  const kinds: readonly (() => string)[] = [
    () => pick(plain),
    () => `${pick(DETERMINERS)} ${pick(plain)}`,
    () => capitalized(pick(names)),
    () => `@${pick(names)}${pick(["", "_", "99", "_x"])}`,
    () => `${pick(["hi", "hey", "dear", "to", "with", "for", "and", "ask"])} ${capitalized(pick(names))}`,
    () => capitalized(pick(cities)),
    () => `${pick(["in", "from", "near"])} ${capitalized(pick(cities))}`,
  ];
  const drawn = kinds.flatMap((kind) => Array.from({ length: COUNT }, kind));
  const probes = new Set(readProbes().flatMap(({ rows }) => rows.map(({ text }) => lettersOf(text))));
  const texts = [...new Set([...REPLIES, ...drawn])].filter((text) => !probes.has(lettersOf(text)));
  const rows = texts.map((text) => [".", ".", "none", "ham", text].join("\t"));
  writeFileSync(new URL("../written/en-short.tsv", import.meta.url), `${rows.join("\n")}\n`);
};

main();

import { compileQuery, parseQuery, tokenize } from "@hourglass/insight";
import { median, type Measurement } from "./measure.js";
import { benchTexts, longTexts } from "./texts.js";

const ROUNDS = 11;
const TARGET = "≥ 0.50";
const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");

const TEN_TERMS =
  'kestrel phone, "new update" -tablet, library OR museum, incredible (trip OR food), notif*, #holiday, ' +
  "apple microsoft earnings, water (rhine OR elbe), @support, battery -screen";

/** Queries of 500 characters, each of which gives one part of the matcher as much work as it can. */
const WORST: Readonly<Record<string, string>> = {
  words: filled((i) => `${letter(i)} `, ""),
  alternatives: filled((i) => `${letter(i)}${letter(i + 7)} OR `, "zz"),
  exclusions: filled((i) => `-${letter(i)}${letter(i + 7)} `, "the"),
  phrases: filled((i) => `"the ${letter(i)} the" OR `, '"the the the"'),
  prefixes: filled((i) => `the${letter(i)}* OR `, "the*"),
};

/** Matching compared with dividing the same texts into words, which it includes. */
export async function measureQueryMatching(): Promise<Measurement[]> {
  const kinds = { posts: benchTexts(1000), "2,000 characters": longTexts(100) };
  const queries = { "ten terms": TEN_TERMS, ...WORST };
  return Object.entries(kinds).flatMap(([kind, texts]) =>
    Object.entries(queries).map(([name, keywords]) => compare(`query matcher, ${name}, ${kind}`, texts, keywords)),
  );
}

function compare(name: string, texts: readonly string[], keywords: string): Measurement {
  const matcher = compileQuery(parseQuery(keywords));
  const rates: { matching: number; tokenizing: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const matching = rateOf(texts, (text) => matcher.match({ text }));
    rates.push({ matching, tokenizing: rateOf(texts, tokenize) });
  }
  const matching = median(rates.map((rate) => rate.matching));
  const tokenizing = median(rates.map((rate) => rate.tokenizing));
  const ratio = median(rates.map((rate) => rate.matching / rate.tokenizing));
  const [value, alone] = [matching, tokenizing].map((rate) => `${(rate / 1e6).toFixed(1)} M characters/s`);
  return { name, value: value ?? "", baseline: `tokenizing alone ${alone ?? ""}`, ratio, target: TARGET };
}

/** Characters per second of processor time. */
function rateOf(texts: readonly string[], run: (text: string) => unknown): number {
  const before = process.cpuUsage();
  for (const text of texts) run(text);
  const { user, system } = process.cpuUsage(before);
  return (texts.reduce((sum, text) => sum + text.length, 0) * 1e6) / (user + system);
}

/** Keywords of parts up to 500 characters, with `last` at the end. */
function filled(part: (index: number) => string, last: string): string {
  let text = "";
  for (let i = 0; text.length + part(i).length + last.length <= 500; i += 1) text += part(i);
  return text + last;
}

function letter(index: number): string {
  return LETTERS[index % LETTERS.length] ?? "";
}

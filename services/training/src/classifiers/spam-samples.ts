import { lettersOf, type Part, readRows, type Sample } from "../datasets.js";
import { readWritten, readWrittenSpam } from "../written-rows.js";
import { ordinaryPosts, unmarkedDevelopmentTexts } from "./ordinary-posts.js";

/** Comments are fewer than messages, and harder. */
const COMMENTS_TRUST = 2;

/** The old labeled messages and comments, of 2003 to 2014. */
export const readMarked = (dataDir: string, part: Part): Sample[] =>
  readRows(dataDir, "spam", part).map(({ text, label = "", source = "" }) => ({
    text,
    shares: { [label]: 1 },
    weight: source === "youtube" ? COMMENTS_TRUST : 1,
    source,
  }));

/** Codes and notices are few, and to miss them costs most. */
const EXPECTED: ReadonlySet<string> = new Set(["otp", "notice"]);
const EXPECTED_TRUST = 2;

/** The labeled messages and posts of 2018 to 2026; the source of a sample has its kind. */
export const readModern = (dataDir: string, part: Part): Sample[] =>
  readRows(dataDir, "spam-modern", part).map(({ text, label = "", kind = "", lang = "und" }) => ({
    text,
    shares: { [label]: 1 },
    weight: label === "ham" && EXPECTED.has(kind) ? EXPECTED_TRUST : 1,
    source: `modern ${kind}`,
    language: lang,
  }));

/** Texts of the classifications' other sets in other languages, assumed to be ham. */
const FOREIGN_TWEETS = 4000;
const FOREIGN_SENTENCES_EACH = 60;
const FOREIGN_TRUST = 0.3;

const foreignPosts = (dataDir: string, used: ReadonlySet<string>): Sample[] => {
  const ham = (text: string, language: string, source: string): Sample => ({
    text,
    shares: { ham: 1 },
    weight: FOREIGN_TRUST,
    source,
    language,
  });
  const tweets = readRows(dataDir, "sentiment-multilingual", "train").filter(({ lang }) => lang !== "en");
  const stride = Math.max(1, Math.floor(tweets.length / FOREIGN_TWEETS));
  const chosen = tweets.filter((_, i) => i % stride === 0);
  const languages = new Set(readWritten().map(({ language }) => language));
  const taken = new Map<string, number>();
  const sentences = readRows(dataDir, "langid", "train").filter(({ label = "" }) => {
    if (label === "en" || !languages.has(label)) return false;
    taken.set(label, (taken.get(label) ?? 0) + 1);
    return (taken.get(label) ?? 0) <= FOREIGN_SENTENCES_EACH;
  });
  return [
    ...chosen.map(({ text, lang = "und" }) => ham(text, lang, "foreign tweets")),
    ...sentences.map(({ text, label = "und" }) => ham(text, label, "foreign sentences")),
  ].filter(({ text }) => !used.has(lettersOf(text)));
};

/** The rows written for all classifications, in other languages. */
const writtenForeign = (): Sample[] =>
  readWritten().flatMap(({ text, language, part, labels }) => {
    const label = labels["spam-detection"];
    if (language === "en" || part !== "train" || label === undefined) return [];
    return [{ text, shares: { [label]: 1 }, weight: 1, source: "written", language }];
  });

/** Everything that spam detection is trained on, in all languages. Deterministic. */
export const spamSamples = (dataDir: string): Sample[] => {
  const marked = readMarked(dataDir, "train");
  const modern = readModern(dataDir, "train");
  const heldOut = [
    ...[...readMarked(dataDir, "dev"), ...readModern(dataDir, "dev")].map(({ text }) => text),
    ...unmarkedDevelopmentTexts(dataDir),
  ];
  const used = new Set(heldOut.map(lettersOf));
  return [
    ...marked,
    ...modern,
    ...ordinaryPosts(dataDir, marked, used),
    ...foreignPosts(dataDir, used),
    ...writtenForeign(),
    ...readWrittenSpam("train"),
  ];
};

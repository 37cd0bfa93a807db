import { mainLabel, type Sample } from "../linear/sample.js";
import { createRandom, shuffle } from "../random.js";
import { hasLink, readRows, type Row } from "../rows.js";

/**
 * Ham that looks like spam. The messages and comments that are marked hold hardly any ham with a link or a call to do
 * something, so a model that learns from them alone takes both for spam. Posts of other sets are ordinary for the most part.
 */
interface Origin {
  set: string;
  /** What the samples are called. */
  name: string;
  /** Taken at most. */
  texts: number;
  holds: (row: Row) => boolean;
}

/** What people ask their friends and followers for. Words that sell as often as they ask ("check out", "win") are left to chance. */
const APPEAL =
  /\b(?:donat\w+|charit\w+|fundrais\w+|petition|volunteer\w*|call me|text me|let me know|come over|invit\w+)\b/i;

const isTweet = ({ source = "" }: Row): boolean => source.endsWith("tweets");

/** wnut17 and a fifth of btc in `topic-ner` are left out: they are what the models are judged on. */
const ORIGINS: readonly Origin[] = [
  { set: "sentiment-simple", name: "tweets with a link", texts: 2500, holds: (row) => isTweet(row) && hasLink(row) },
  { set: "topic-ner", name: "news with a link", texts: 1500, holds: (row) => row.source === "btc" && hasLink(row) },
  { set: "sentiment-simple", name: "appeals", texts: 400, holds: (row) => isTweet(row) && APPEAL.test(row.text) },
  { set: "sentiment-simple", name: "tweets", texts: 1500, holds: (row) => isTweet(row) && !hasLink(row) },
  { set: "sentiment-simple", name: "reviews and editorials", texts: 700, holds: (row) => !isTweet(row) },
  { set: "langid", name: "news", texts: 500, holds: ({ label }) => label === "en" },
  { set: "goemotions-raw", name: "comments", texts: 2000, holds: () => true },
  {
    set: "intention",
    name: "proposals",
    texts: 600,
    holds: ({ label = "" }) => label === "proposal" || label === "inducement",
  },
];

/** Nobody has marked these posts, so each counts for less than a marked one. */
const TRUST = 0.3;
/** Share of the ham that is given a lead-in, and a link. */
const LED_IN = 0.4;
const LINKED = 0.15;
/** Share of the spam that is repeated with a link, and with a lead-in, so that neither speaks for ham. */
const SPAM_LINKED = 0.5;
const SPAM_LED_IN = 0.1;

const LEAD_INS = [
  "Check out: ",
  "Check this out: ",
  "Check out ",
  "Check it out! ",
  "Look at this: ",
  "Have a look: ",
  "Watch: ",
  "Read this: ",
  "Please share: ",
  "Click here: ",
  "Don't miss: ",
  "New: ",
];

/**
 * Ordinary posts of other sets, assumed to be ham, some with a lead-in or a link of ours; and repetitions of the marked
 * samples with the same. Of texts that are `heldOut`, by their letters, none is used. Always the same.
 */
export const ordinaryPosts = (dataDir: string, marked: readonly Sample[], heldOut: ReadonlySet<string>): Sample[] => {
  const random = createRandom(SEED);
  const used = new Set([...heldOut, ...marked.map(({ text }) => lettersOf(text))]);
  const dress = (text: string, ledIn: number, linked: number): string => {
    const lead = random() < ledIn ? (LEAD_INS[Math.floor(random() * LEAD_INS.length)] ?? "") : "";
    const link =
      random() < linked && !hasLink({ text }) ? ` https://t.co/${Math.floor(random() * 36 ** 6).toString(36)}` : "";
    return `${lead}${text}${link}`;
  };
  const posts = ORIGINS.flatMap((origin) =>
    take(dataDir, origin, used).map((text) => sample(dress(text, LED_IN, LINKED), "ham", origin.name)),
  );
  const repeated = marked.flatMap((one) => {
    const label = mainLabel(one);
    const dressed = label === "spam" ? dress(one.text, SPAM_LED_IN, SPAM_LINKED) : dress(one.text, LED_IN, 0);
    return dressed === one.text ? [] : [sample(dressed, label, "dressed")];
  });
  return [...posts, ...repeated];
};

const SEED = 5;

const sample = (text: string, label: string, source: string): Sample => ({
  text,
  shares: { [label]: 1 },
  weight: TRUST,
  source,
});

/** Posts of an origin in an order of chance, none of them twice or in `used`, to which they are added. */
const take = (dataDir: string, { set, texts, holds }: Origin, used: Set<string>): string[] => {
  const rows = readRows(dataDir, set, "train").filter(holds);
  const order = Uint32Array.from(rows.keys());
  shuffle(order, createRandom(SEED));
  const taken: string[] = [];
  for (const at of order) {
    if (taken.length === texts) break;
    const text = rows[at]?.text ?? "";
    const letters = lettersOf(text);
    if (letters === "" || used.has(letters)) continue;
    used.add(letters);
    taken.push(text);
  }
  return taken;
};

/** What two texts share that say the same. */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

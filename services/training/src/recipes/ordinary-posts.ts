import { mainLabel, type Sample } from "../sample.js";
import { createRandom, shuffle } from "../random.js";
import { hasLink, lettersOf, readRows, type Row } from "../rows.js";

/**
 * Ham that looks like spam. The labelled messages and comments contain hardly any ham with a link or a call to action,
 * so a model trained on them alone takes both for spam. Posts of other sets are mostly ordinary.
 */
interface Origin {
  set: string;
  /** Name of the samples. */
  name: string;
  /** Maximum number of texts. */
  texts: number;
  holds: (row: Row) => boolean;
}

/**
 * Calls to action that people post to friends and followers. Words that are as common in advertising ("check out",
 * "win") are not selected for.
 */
const APPEAL =
  /\b(?:donat\w+|charit\w+|fundrais\w+|petition|volunteer\w*|call me|text me|let me know|come over|invit\w+)\b/i;

const isTweet = ({ source = "" }: Row): boolean => source.endsWith("tweets");

/** wnut17 and a fifth of btc in `topic-ner` are left out because the models are evaluated on them. */
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

/** These posts are not labelled, so each has a lower weight than a labelled one. */
const TRUST = 0.3;
/** Shares of the ham that get a lead-in, and a link. */
const LED_IN = 0.4;
const LINKED = 0.15;
/** Shares of the spam that are repeated with a link, and with a lead-in, so that neither indicates ham. */
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
 * Ordinary posts of other sets, assumed to be ham, some with an added lead-in or link; and repetitions of the labelled
 * samples with the same additions. Texts in `heldOut`, compared by their letters, are not used. Deterministic.
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

/**
 * Posts of an origin in pseudo-random order, without duplicates and without those in `used`, to which they are added.
 */
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

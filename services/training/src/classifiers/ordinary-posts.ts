import { hasLink, lettersOf, mainLabel, readRows, type Row, type Sample } from "../datasets.js";
import type { Judgment } from "../metrics.js";
import { createRandom, shuffle } from "../random.js";
import { type Metric, shareMetric } from "../report.js";

/**
 * Ham that looks like spam. The labeled messages and comments contain hardly any ham with a link or a call to action,
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

/** These posts are not labeled, so each has a lower weight than a labeled one. */
const TRUST = 0.3;
/** Shares of the ham that get a lead-in, and a link. */
const LED_IN = 0.4;
const LINKED = 0.15;
/** Shares of the spam that are repeated with a link, and with a lead-in, so that neither indicates ham. */
const SPAM_LINKED = 0.5;
const SPAM_LED_IN = 0.1;

/**
 * People shorten the links in their posts as much as fraud does, and link to sites of every kind. Exchanged for these,
 * the links of posts that were collected in one year show no more than that they are links.
 */
const LINK_STARTS = (
  "https://t.co/ https://t.co/ https://t.co/ http://bit.ly/ http://bit.ly/ https://bit.ly/ http://tinyurl.com/ http://ow.ly/ " +
  "http://is.gd/ http://goo.gl/ http://dlvr.it/ http://fb.me/ http://youtu.be/ http://www.youtube.com/watch?v= http://4sq.com/ " +
  "http://twitpic.com/ http://yfrog.com/ http://tumblr.com/ http://instagr.am/p/ http://post.ly/ http://buff.ly/ http://su.pr/ " +
  "https://www.instagram.com/p/ https://open.substack.com/pub/ https://github.com/ https://medium.com/p/ http://blip.fm/~ " +
  "http://plixi.com/p/ http://tl.gd/ http://lnkd.in/ http://nyti.ms/ http://wp.me/p http://flic.kr/p/ http://bbc.in/ http://j.mp/"
).split(" ");
const LINK_EXCHANGED = 0.5;
const LINK = /https?:\/\/\S+/g;

const drawLink = (random: () => number): string => {
  const start = LINK_STARTS[Math.floor(random() * LINK_STARTS.length)] ?? "";
  const code = Array.from({ length: 6 }, () => "abcdefghijkmnpqrsTUVWXYZ23456789"[Math.floor(random() * 32)]).join("");
  return `${start}${code}`;
};

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
 * Ordinary posts of other sets, assumed to be ham, some with an added lead-in or link; and repetitions of the labeled
 * samples with the same additions. Texts in `heldOut`, compared by their letters, are not used. Deterministic.
 */
export const ordinaryPosts = (dataDir: string, marked: readonly Sample[], heldOut: ReadonlySet<string>): Sample[] => {
  const random = createRandom(SEED);
  const used = new Set([...heldOut, ...marked.map(({ text }) => lettersOf(text))]);
  const dress = (text: string, ledIn: number, linked: number): string => {
    const lead = random() < ledIn ? (LEAD_INS[Math.floor(random() * LEAD_INS.length)] ?? "") : "";
    const link = random() < linked && !hasLink({ text }) ? ` ${drawLink(random)}` : "";
    const shown = text.replace(LINK, (own) => (random() < LINK_EXCHANGED ? drawLink(random) : own));
    return `${lead}${shown}${link}`;
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

/** Ordinary posts that no spam model was trained on, with the name of their figure. */
interface OrdinarySet {
  name: string;
  texts: string[];
  /** Maximum share of false alarms. */
  falseAlarmsMax?: number;
}

const LEAD_IN = "Check out: ";
/** Not among the lead-ins of the training data. */
const UNKNOWN_LEAD_IN = "You all need to see this: ";
const LED_IN_TEXTS = 500;
/** One of this many texts of btc is used for evaluation; the others may be used for training. */
const KEPT_OF_BTC = 5;

/**
 * The posts for counting false alarms. They are not labeled, so the few spam posts among them count as false alarms.
 * The training part of wnut17 is used as well, and a fifth of btc: spam detection is trained on neither.
 */
const ordinarySets = (dataDir: string): OrdinarySet[] => {
  const { tweets, wnut17, news, web, comments } = readSets(dataDir);
  const plain = [tweets, wnut17, web, comments].flatMap((rows) =>
    rows.filter((row) => !hasLink(row)).slice(0, LED_IN_TEXTS),
  );
  const textsOf = (rows: readonly Row[], before = ""): string[] => rows.map(({ text }) => `${before}${text}`);
  return [
    {
      name: "with a link",
      texts: [wnut17, news, tweets].flatMap((rows) => textsOf(rows.filter(hasLink))),
      falseAlarmsMax: 0.03,
    },
    { name: "with a link, wnut17", texts: textsOf(wnut17.filter(hasLink)) },
    { name: "with a link, btc", texts: textsOf(news.filter(hasLink)) },
    { name: "with a link, sentiment tweets", texts: textsOf(tweets.filter(hasLink)) },
    { name: "without a link", texts: textsOf(plain) },
    { name: 'after "Check out"', texts: textsOf(plain, LEAD_IN), falseAlarmsMax: 0.05 },
    { name: "after words not learned", texts: textsOf(plain, UNKNOWN_LEAD_IN) },
  ];
};

/** All texts that `ordinarySets` draws from. */
export const unmarkedDevelopmentTexts = (dataDir: string): string[] =>
  Object.values(readSets(dataDir)).flatMap((rows) => rows.map(({ text }) => text));

const readSets = (dataDir: string): Record<"tweets" | "wnut17" | "news" | "web" | "comments", Row[]> => {
  const named = [...readRows(dataDir, "topic-ner", "dev"), ...readRows(dataDir, "topic-ner", "train")];
  return {
    tweets: readRows(dataDir, "sentiment-simple", "dev").filter(({ source = "" }) => source.endsWith("tweets")),
    wnut17: named.filter(({ source }) => source === "wnut17"),
    news: named.filter(({ source }) => source === "btc").filter((_, i) => i % KEPT_OF_BTC === 0),
    web: named.filter(({ source }) => source === "uner-ewt"),
    comments: readRows(dataDir, "goemotions-raw", "dev"),
  };
};

/** The share of ordinary posts classified as spam, by an engine with its serving code. */
export const falseAlarms = async (
  dataDir: string,
  judgeAll: (samples: readonly Sample[]) => Promise<readonly Judgment[]>,
): Promise<Metric[]> => {
  const metrics: Metric[] = [];
  for (const { name, texts, falseAlarmsMax } of ordinarySets(dataDir)) {
    const judgments = await judgeAll(texts.map((text) => ({ text, shares: { ham: 1 }, weight: 1, source: name })));
    const alarms = judgments.filter(({ predicted }) => predicted === "spam").length;
    const limit = falseAlarmsMax === undefined ? {} : { limit: falseAlarmsMax };
    metrics.push(
      shareMetric(`ordinary posts called spam, ${name}`, alarms, texts.length, { better: "lower", ...limit }),
    );
  }
  return metrics;
};

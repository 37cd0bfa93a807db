import { hasLink, readRows, type Row } from "../rows.js";

/** Ordinary posts that no spam model was trained on, with the name of their figure. */
export interface OrdinarySet {
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
 * The posts for counting false alarms. They are not labelled, so the few spam posts among them count as false alarms.
 * The training part of wnut17 is used as well, and a fifth of btc: spam detection is trained on neither.
 */
export const ordinarySets = (dataDir: string): OrdinarySet[] => {
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

import { inventPerson } from "../invented/person.js";
import { randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";

/** A publisher that does not exist, with one feed. */
export interface DemoPublisher {
  readonly name: string;
  readonly format: "rss" | "atom";
  /** Path of the feed on the fake. */
  readonly path: string;
  /** An ISO 639-1 code. */
  readonly language: string;
  /** Host of its pages, which do not exist either. */
  readonly host: string;
}

/** An article as the fake keeps it. */
export interface FeedArticle {
  /** Address of the page. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly publisher: DemoPublisher;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  readonly tags: readonly string[];
}

/** A publisher with a feed in RSS 2.0. */
export const DEMO_GAZETTE: DemoPublisher = {
  name: "Harbour Gazette (invented)",
  format: "rss",
  path: "/harbour-gazette.rss",
  language: "en",
  host: "harbour-gazette.example.org",
};

/** A publisher with a feed in Atom. */
export const DEMO_HAFENBLATT: DemoPublisher = {
  name: "Hafenblatt (erfunden)",
  format: "atom",
  path: "/hafenblatt.atom",
  language: "de",
  host: "hafenblatt.example.org",
};

/** An invented article of this number and time; `values` replaces parts of it. */
export function inventArticle(number: number, at: number, values: Partial<FeedArticle> = {}): FeedArticle {
  const random = randomOf(number);
  const text = inventText(random);
  const publisher = values.publisher ?? DEMO_GAZETTE;
  return {
    id: `https://${publisher.host}/invented/${number}`,
    at,
    publisher,
    title: text.slice(0, text.indexOf(" and ")),
    text,
    author: inventPerson(random).name,
    tags: ["invented"],
    ...values,
  };
}

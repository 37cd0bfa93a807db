import { createHash } from "node:crypto";
import { inventPerson, type Person } from "../invented/person.js";
import { oneOf, randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";

/** An article as the fakes of NewsAPI and GDELT keep it. */
export interface DemoArticle {
  /** Digest of its address, as the connector makes it: 32 hexadecimal digits. */
  readonly id: string;
  readonly url: string;
  /** Time of publication, in milliseconds since the epoch. */
  readonly at: number;
  readonly title: string;
  readonly description: string;
  /** Its beginning. */
  readonly content: string;
  readonly source: { readonly id: string | null; readonly name: string };
  readonly author: Person;
  readonly image: string | null;
  /** Proper names in the text. */
  readonly names: readonly string[];
  /** ISO 639-2 code of the language from which GDELT translated it; undefined: it is English. */
  readonly translatedFrom: string | undefined;
  /** Fields that replace or add to those of NewsAPI's answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const SOURCES = ["demo-gazette.example", "demo-courier.example", "demo-herald.example"] as const;

/** An invented article of this number and time; `values` replaces parts of it. */
export function inventArticle(number: number, at: number, values: Partial<DemoArticle> = {}): DemoArticle {
  const random = randomOf(number);
  const source = oneOf(SOURCES, random);
  const url = values.url ?? `https://${source}/articles/${number}`;
  return {
    at,
    title: inventText(random).replace(/ [#@].*$/, ""),
    description: inventText(random),
    content: `${inventText(random)} ${inventText(random)}`,
    source: { id: null, name: source },
    author: inventPerson(random),
    image: `https://${source}/images/${number}.jpg`,
    names: ["Kestrel Phone"],
    translatedFrom: undefined,
    extra: {},
    ...values,
    url,
    id: articleIdOf(url),
  };
}

/** The id that postings of an article have. */
export function articleIdOf(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 32);
}

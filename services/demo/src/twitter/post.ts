import { inventPerson, type Person } from "../invented/person.js";
import { randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";
import { snowflakeOf } from "./snowflake.js";

/** A post as the fake keeps it. */
export interface DemoPost {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly lang: string;
  readonly author: Person;
  readonly likes: number;
  /** Ids of earlier versions, oldest first, then this one. */
  readonly history: readonly string[];
  readonly kind: "post" | "retweeted" | "quoted" | "replied_to";
  /** The post that it shares, quotes or answers. */
  readonly refersTo: string | undefined;
  readonly place: DemoPlace | undefined;
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A place that a post names. */
export interface DemoPlace {
  readonly id: string;
  readonly fullName: string;
  readonly country: string;
  readonly countryCode: string;
  readonly longitude: number;
  readonly latitude: number;
}

/** An invented post of this number and time; `values` replaces parts of it. */
export function inventPost(number: number, at: number, values: Partial<DemoPost> = {}): DemoPost {
  const random = randomOf(number);
  const id = values.id ?? snowflakeOf(at, number);
  return {
    id,
    at,
    text: inventText(random),
    lang: "en",
    author: inventPerson(random),
    likes: Math.floor(random() * 50),
    history: [id],
    kind: "post",
    refersTo: undefined,
    place: undefined,
    extra: {},
    ...values,
  };
}

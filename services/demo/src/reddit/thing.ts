import { inventPerson, type Person } from "../invented/person.js";
import { oneOf, randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";

/** A submission (`t3`) or a comment (`t1`) as the fake keeps it. */
export interface DemoThing {
  readonly kind: "t1" | "t3";
  /** Its fullname: the kind and an id that grows, such as `t3_1000000`. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of a submission, or of the one that a comment is on. */
  readonly title: string;
  /** Empty for a submission of a link. */
  readonly text: string;
  readonly subreddit: string;
  readonly author: Person;
  readonly score: number;
  /** When it was edited, in milliseconds since the epoch. */
  readonly editedAt: number | undefined;
  /** Who took it away; it is then shown without its text and author, where it is shown at all. */
  readonly removedBy: "deleted" | "moderator" | undefined;
  /** Of a comment: the fullname of its submission. */
  readonly linkId: string | undefined;
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const SUBREDDITS = ["demo_phones", "demo_gadgets", "demo_reviews"] as const;
/** Ids of seven characters, so that they sort as they grow. */
const FIRST_ID = 36 ** 6;

/** An invented submission or comment of this number and time; `values` replaces parts of it. */
export function inventThing(number: number, at: number, values: Partial<DemoThing> = {}): DemoThing {
  const random = randomOf(number);
  const { kind = "t3" } = values;
  return {
    kind,
    id: `${kind}_${(FIRST_ID + number).toString(36)}`,
    at,
    title: inventText(random),
    text: inventText(random),
    subreddit: oneOf(SUBREDDITS, random),
    author: inventPerson(random),
    score: Math.floor(random() * 200),
    editedAt: undefined,
    removedBy: undefined,
    linkId: kind === "t1" ? `t3_${FIRST_ID.toString(36)}` : undefined,
    extra: {},
    ...values,
  };
}

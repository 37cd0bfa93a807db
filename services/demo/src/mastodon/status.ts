import { inventPerson, type Person } from "../invented/person.js";
import { randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";

/** A posting as the fake keeps it. */
export interface DemoStatus {
  /** Grows with the time of posting, as ids of Mastodon do. */
  readonly id: string;
  /** When it was posted, in milliseconds since the epoch. */
  readonly at: number;
  /** When this server learnt of it, in milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Plain text. */
  readonly text: string;
  /** Without `#`. */
  readonly tags: readonly string[];
  readonly author: Person;
  readonly likes: number;
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Where the invented people are. */
export const DEMO_HOME = "invented.example";

/** An invented posting of this number and time; `values` replaces parts of it. */
export function inventStatus(number: number, at: number, values: Partial<DemoStatus> = {}): DemoStatus {
  const random = randomOf(number);
  return {
    id: ((BigInt(at) << 16n) + BigInt(number)).toString(),
    at,
    arrivedAt: at,
    text: inventText(random),
    tags: ["kestrel"],
    author: inventPerson(random),
    likes: Math.floor(random() * 50),
    extra: {},
    ...values,
  };
}

/** The id of a posting on every server. */
export function uriOf({ id }: Pick<DemoStatus, "id">): string {
  return `https://${DEMO_HOME}/ap/users/1/statuses/${id}`;
}

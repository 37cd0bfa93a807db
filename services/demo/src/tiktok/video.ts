import { inventPerson } from "../invented/person.js";
import { oneOf, randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";

/** A video as the fake keeps it. */
export interface DemoVideo {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly username: string;
  readonly region: string;
  readonly likes: number;
  /** What is spoken. */
  readonly speech: string;
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const REGIONS = ["GB", "DE", "US", "JP"] as const;
const SECOND_BITS = 32n;

/** An id of TikTok, which holds its time in seconds; `sequence` distinguishes those of one second. */
export function videoIdOf(at: number, sequence: number): string {
  return ((BigInt(Math.floor(at / 1000)) << SECOND_BITS) + BigInt(sequence)).toString();
}

/** An invented video of this number and time; `values` replaces parts of it. */
export function inventVideo(number: number, at: number, values: Partial<DemoVideo> = {}): DemoVideo {
  const random = randomOf(number);
  return {
    id: videoIdOf(at, number),
    at,
    text: inventText(random),
    username: inventPerson(random).username,
    region: oneOf(REGIONS, random),
    likes: Math.floor(random() * 50),
    speech: "",
    extra: {},
    ...values,
  };
}

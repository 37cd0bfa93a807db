import { inventPerson } from "../invented/person.js";
import { randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";
import { type Channel, channelOf } from "./channel.js";

/** A video as the fake keeps it. */
export interface DemoVideo {
  readonly id: string;
  /** When it was published, in milliseconds since the epoch. */
  readonly at: number;
  /** From when on a search finds it: YouTube indexes some videos late. */
  readonly indexedAt: number;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly channel: Channel;
  readonly views: number;
  /** Undefined: the channel hides them. */
  readonly likes: number | undefined;
  readonly broadcast: "none" | "live" | "upcoming";
  readonly hasComments: boolean;
  /** A deleted video stands in searches for a while. */
  readonly isDeleted: boolean;
  readonly place: VideoPlace | undefined;
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Where a video was recorded. */
export interface VideoPlace {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

const NUMBER_DIGITS = 7;

/** An invented video of this number and time; later numbers have higher ids. `values` replaces parts of it. */
export function inventVideo(number: number, at: number, values: Partial<DemoVideo> = {}): DemoVideo {
  const random = randomOf(number);
  const text = inventText(random);
  return {
    id: `demo${String(number).padStart(NUMBER_DIGITS, "0")}`,
    at,
    indexedAt: at,
    title: text.slice(0, text.indexOf(" and ")),
    description: text,
    tags: ["kestrel", "invented"],
    channel: channelOf(inventPerson(random)),
    views: Math.floor(random() * 5000),
    likes: Math.floor(random() * 200),
    broadcast: "none",
    hasComments: true,
    isDeleted: false,
    place: undefined,
    extra: {},
    ...values,
  };
}

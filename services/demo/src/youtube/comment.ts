import { inventPerson } from "../invented/person.js";
import { randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";
import { type Channel, channelOf } from "./channel.js";

/** A comment as the fake keeps it. */
export interface DemoComment {
  readonly id: string;
  readonly videoId: string;
  /** The comment that it answers. */
  readonly parentId: string | undefined;
  readonly at: number;
  readonly editedAt: number;
  readonly text: string;
  /** Undefined: the account was deleted. */
  readonly author: Channel | undefined;
  readonly likes: number;
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const NUMBER_DIGITS = 13;

/** An invented comment of this number; later numbers have higher ids. `values` replaces parts of it. */
export function inventComment(
  number: number,
  { videoId, at, ...values }: Partial<DemoComment> & Pick<DemoComment, "videoId" | "at">,
): DemoComment {
  const random = randomOf(number);
  const own = `Ugdemo${String(number).padStart(NUMBER_DIGITS, "0")}`;
  return {
    id: values.parentId === undefined ? `${own}4AaABAg` : `${values.parentId}.${own}`,
    videoId,
    parentId: undefined,
    at,
    editedAt: at,
    text: inventText(random),
    author: channelOf(inventPerson(random)),
    likes: Math.floor(random() * 20),
    extra: {},
    ...values,
  };
}

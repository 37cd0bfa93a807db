import { inventPerson, type Person } from "../invented/person.js";
import { randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";

/** A page of the fake. */
export interface DemoPage {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** A comment on a post. */
export interface DemoComment {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly author: Person;
  readonly likes: number;
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A post of a page as the fake keeps it. */
export interface DemoPagePost {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly updatedAt: number;
  readonly page: DemoPage;
  /** Empty: a post without a text. */
  readonly text: string;
  readonly likes: number;
  readonly shares: number;
  /** Newest first. */
  readonly comments: readonly DemoComment[];
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The page that every fake has. */
export const DEMO_PAGE: DemoPage = { id: "100000000000001", username: "kestrel.demo", name: "Kestrel (invented)" };

/** An invented post of this number and time; `values` replaces parts of it. */
export function inventPagePost(number: number, at: number, values: Partial<DemoPagePost> = {}): DemoPagePost {
  const random = randomOf(number);
  const page = values.page ?? DEMO_PAGE;
  return {
    id: `${page.id}_2${String(number).padStart(14, "0")}`,
    at,
    updatedAt: at,
    page,
    text: inventText(random),
    likes: Math.floor(random() * 50),
    shares: Math.floor(random() * 5),
    comments: [],
    extra: {},
    ...values,
  };
}

/** An invented comment on a post. */
export function inventComment(
  post: DemoPagePost,
  number: number,
  { at, ...values }: Partial<DemoComment> & Pick<DemoComment, "at">,
): DemoComment {
  const random = randomOf(number + 1_000_000);
  return {
    id: `${post.id.split("_")[1]}_${number}`,
    at,
    text: inventText(random),
    author: inventPerson(random),
    likes: Math.floor(random() * 10),
    extra: {},
    ...values,
  };
}

import { randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";

/** A professional account of the fake. */
export interface DemoAccount {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** A picture, video or album as the fake keeps it. */
export interface DemoMedia {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly account: DemoAccount;
  /** Empty: media without a caption. */
  readonly caption: string;
  readonly type: "IMAGE" | "VIDEO" | "CAROUSEL_ALBUM";
  readonly likes: number;
  readonly comments: number;
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The account that every fake has. */
export const DEMO_ACCOUNT: DemoAccount = {
  id: "17841400000000001",
  username: "kestrel_demo",
  name: "Kestrel (invented)",
};

/** Invented media of this number and time; `values` replaces parts of it. */
export function inventMedia(number: number, at: number, values: Partial<DemoMedia> = {}): DemoMedia {
  const random = randomOf(number);
  return {
    id: `179${String(number).padStart(14, "0")}`,
    at,
    account: DEMO_ACCOUNT,
    caption: `${inventText(random)} #kestrel`,
    type: "IMAGE",
    likes: Math.floor(random() * 100),
    comments: Math.floor(random() * 10),
    extra: {},
    ...values,
  };
}

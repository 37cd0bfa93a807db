import { randomOf } from "../invented/random.js";
import { inventText } from "../invented/text.js";

/** A post of an organisation as the fake keeps it. */
export interface DemoOrganisationPost {
  /** A URN. */
  readonly id: string;
  /** When it was published, in milliseconds since the epoch. */
  readonly postedAt: number;
  /** When it was changed last, by which posts are sorted. */
  readonly at: number;
  /** Id of the organisation. */
  readonly organisation: string;
  /** In LinkedIn's "little text". */
  readonly text: string;
  readonly likes: number;
  readonly shares: number;
  /** Fields that replace or add to those of the answer. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The organisation of invented posts. */
export const DEMO_ORGANISATION = {
  id: "5515715",
  vanityName: "kestrel-invented",
  localizedName: "Kestrel (invented)",
} as const;

const TIME_BITS = 22n;
/** Of one millisecond. */
const SEQUENCES = 1 << 22;

/** An invented post of this number and time; `values` replaces parts of it. */
export function inventOrganisationPost(
  number: number,
  at: number,
  values: Partial<DemoOrganisationPost> = {},
): DemoOrganisationPost {
  const random = randomOf(number);
  const id = (BigInt(at) << TIME_BITS) + BigInt(number % SEQUENCES);
  return {
    id: `urn:li:share:${id}`,
    postedAt: at,
    at,
    organisation: DEMO_ORGANISATION.id,
    text: littleTextOf(inventText(random)),
    likes: Math.floor(random() * 50),
    shares: Math.floor(random() * 9),
    extra: {},
    ...values,
  };
}

/** A text with its tags in braces and its signs escaped, as LinkedIn keeps it. */
export function littleTextOf(text: string): string {
  const escaped = text.replaceAll(/[\\|{}@[\]()<>*_~]/g, "\\$&");
  return escaped.replaceAll(/#([\p{L}\p{N}]+)/gu, "{hashtag|\\#|$1}");
}

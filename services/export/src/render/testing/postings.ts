import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { PostingSchema, type Posting } from "@hourglass/proto/insight/v1/posting";
import { parseLongNumbers } from "@hourglass/runtime/json";
import fc from "fast-check";

/** A posting with all that a posting needs. */
export function posting(init: Exclude<MessageInitShape<typeof PostingSchema>, Posting> = {}): Posting {
  return create(PostingSchema, {
    insightSearchId: 4n,
    platform: Platform.REDDIT,
    terms: "kestrel",
    postedAt: { seconds: BigInt(Date.UTC(2026, 0, 31, 23, 59, 9) / 1000) },
    ...init,
  });
}

/** Postings in batches. */
export async function* inBatches(postings: readonly Posting[], size = 3): AsyncGenerator<Posting[]> {
  for (let start = 0; start < postings.length; start += size) {
    await Promise.resolve();
    yield postings.slice(start, start + size);
  }
}

const PIECES = [
  "=",
  "+",
  "-",
  "@",
  "\t",
  "\r",
  "\n",
  "'",
  '"',
  ",",
  ";",
  "[",
  "\\",
  "\0",
  "\u2028",
  "\u00a0",
  "\u200b",
  "\ufeff",
  "＝",
  "\ud800",
];

/** Texts that formats, spreadsheets and encodings handle with special care. */
export const hostileText = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES, "a", "é", "🦅", "\\ud800"), fc.string({ unit: "binary" })), {
      maxLength: 6,
    })
    .map((pieces) => pieces.join("")),
  fc.constantFrom("=1+1", "'=1", "''=1", "@SUM(A1)", "\ttab", "-5", "__proto__", "null", " ", "a, b"),
);

const count = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const texts = fc.array(hostileText, { maxLength: 3 });

/** Postings whose values are as hostile as their types allow. */
export const hostilePosting: fc.Arbitrary<Posting> = fc
  .record({
    socialId: optional(hostileText),
    sentiments: optional(hostileText),
    topics: fc.array(hostileText, { maxLength: 8 }),
    visualDetectionAnalyses: texts,
    textOfPost: optional(hostileText),
    terms: hostileText,
    textPostTags: texts,
    textPostTaggedUsers: texts,
    likeCount: optional(count),
    viewCount: optional(count),
    authorName: optional(hostileText),
    placeId: optional(hostileText),
    moreInfo: optional(fc.dictionary(hostileText, fc.jsonValue(), { maxKeys: 3 })),
    seconds: fc.integer({ min: 0, max: 4_102_444_800 }),
  })
  .map(({ likeCount, viewCount, authorName, placeId, moreInfo, seconds, ...fields }) =>
    posting({
      ...defined(fields),
      counts: defined({ likeCount, viewCount }),
      author: defined({ authorName }),
      place: defined({ placeId }),
      // Stored notes hold whole numbers beyond 2^53 as strings.
      moreInfoJson: moreInfo === undefined ? "" : JSON.stringify(parseLongNumbers(JSON.stringify(moreInfo))),
      postedAt: { seconds: BigInt(seconds) },
    }),
  );

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

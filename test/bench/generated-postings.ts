import { create } from "@bufbuild/protobuf";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { PostingSchema, type Posting } from "@hourglass/proto/insight/v1/posting";

const WORDS =
  "kestrel hovers over the field while two crows watch it from a wire and nobody says anything =about 🦅".split(" ");
const TEXT_WORDS = 60;
const FIRST_SECOND = Date.UTC(2026, 0, 1) / 1000;
const AUTHORS = 1000;
const PLATFORMS = [Platform.TWITTER, Platform.REDDIT, Platform.NEWS, Platform.FACEBOOK, Platform.TIKTOK];

/** Postings as exports hold them, about 1.6 KB each in JSON, the same in every run; a second apart. */
export async function* generatedPostings(count: number, batch = 200): AsyncGenerator<Posting[]> {
  const next = numbers();
  for (let start = 0; start < count; start += batch) {
    await new Promise(setImmediate); // as from a service
    yield Array.from({ length: Math.min(batch, count - start) }, (_, index) => posting(start + index, next));
  }
}

function posting(index: number, next: () => number): Posting {
  const author = index % AUTHORS;
  return create(PostingSchema, {
    insightSearchId: 1n,
    platform: PLATFORMS[index % PLATFORMS.length] ?? Platform.NEWS,
    socialId: String(1_000_000_000_000 + index),
    socialUrl: `https://www.example.com/posts/${index}`,
    sentiments: "joy",
    intentions: "none",
    topics: ["kestrel", "field", WORDS[index % WORDS.length] ?? ""],
    textOfPost: Array.from({ length: TEXT_WORDS }, () => WORDS[next() % WORDS.length]).join(" "),
    terms: "kestrel",
    postedAt: { seconds: BigInt(FIRST_SECOND + index) },
    textPostLang: "en",
    textPostType: "post",
    textPostTags: ["birds", "hawk"],
    counts: { likeCount: BigInt(next() % 1000), commentCount: 3n, viewCount: BigInt(index) },
    author: { authorId: `a${author}`, authorUsername: `user${author}`, authorName: `Name ${author}` },
    moreInfoJson: '{"subreddit":"birds","spam":{"value":"ham","prob":0.9876}}',
  });
}

/** A linear congruential generator: fast, and the same on every machine. */
function numbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  };
}

import { create } from "@bufbuild/protobuf";
import { toPostingJson } from "@hourglass/posting";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { PostingSchema } from "@hourglass/proto/insight/v1/posting";

const POSTED_AT = Date.UTC(2026, 0, 31, 11, 40) / 1000;

/** A posting as it is answered, made by what writes all of them. */
export const POSTING_EXAMPLE = toPostingJson(
  create(PostingSchema, {
    insightSearchId: 12n,
    platform: Platform.REDDIT,
    socialId: "t3_1abcde",
    socialUrl: "https://www.reddit.com/r/lisbon/comments/1abcde/",
    sentiments: "pleasantness",
    intentions: "valuation",
    topics: ["charging stations", "lisbon"],
    textOfPost: "The new charging stations in Lisbon are great, no queue at all #ev",
    terms: '"electric cars" OR #ev',
    postedAt: { seconds: BigInt(POSTED_AT) },
    textPostLang: "en",
    textPostType: "post",
    textPostTags: ["ev"],
    counts: { likeCount: 7n, commentCount: 2n },
    author: { authorId: "t2_1", authorUsername: "kestrel" },
    moreInfoJson: JSON.stringify({
      key: "reddit-Ck3bVY0z0PqhG8mS0S5n2w",
      sentiment_simple: { value: "positive", prob: 0.9712 },
      emotion: { value: "pleasantness", prob: 0.6104 },
      intention_prob: 0.8868,
      spam: { value: "ham", prob: 0.9997 },
    }),
  }),
);

import { create } from "@bufbuild/protobuf";
import { toPostingJson } from "@hourglass/posting";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { PostingSchema } from "@hourglass/proto/insight/v1/posting";
import { TEXT } from "./operation-examples.js";

const POSTED_AT = Date.UTC(2026, 0, 31, 11, 40) / 1000;

const NEW = {
  insightSearchId: 12n,
  platform: Platform.REDDIT,
  socialId: "t3_1abcde",
  socialUrl: "https://www.reddit.com/r/lisbon/comments/1abcde/",
  textOfPost: TEXT,
  terms: "museum",
  postedAt: { seconds: BigInt(POSTED_AT) },
  textPostType: "post",
  textPostTags: ["museum"],
  counts: { likeCount: 7n, commentCount: 2n },
  author: { authorId: "t2_1", authorUsername: "ada_example" },
};

/** A posting as an import would store it: nothing was found in it yet. */
export const NEW_POSTING_EXAMPLE = toPostingJson(create(PostingSchema, NEW));

/** A posting as it is answered, made by what writes all of them. */
export const POSTING_EXAMPLE = toPostingJson(
  create(PostingSchema, {
    ...NEW,
    sentiments: "joy",
    intentions: "valuation",
    topics: ["Lisbon", "new museum"],
    textPostLang: "en",
    moreInfoJson: JSON.stringify({
      key: "reddit-Ck3bVY0z0PqhG8mS0S5n2w",
      sentiment_simple: { value: "positive", prob: 0.9899 },
      emotion: { value: "joy", prob: 0.7134 },
      intention_prob: 0.8868,
      spam: { value: "ham", prob: 0.9997 },
    }),
  }),
);

import { describe, expect, it } from "vitest";
import * as z from "zod";
import { redditVariables } from "./index.js";

const schema = z.object(redditVariables);

describe("the variables of reddit", () => {
  it("are all optional", () => {
    expect(schema.parse({})).toMatchObject({
      REDDIT_SUBREDDITS: [],
      REDDIT_COMMENTS: false,
      REDDIT_REQUESTS_PER_MINUTE: 100,
      REDDIT_BASE_URL: "https://oauth.reddit.com",
      REDDIT_AUTH_URL: "https://www.reddit.com",
    });
  });

  it("take names of subreddits with or without r/", () => {
    expect(schema.parse({ REDDIT_SUBREDDITS: "phones, r/gadgets,/r/Reviews_1" })).toMatchObject({
      REDDIT_SUBREDDITS: ["phones", "gadgets", "Reviews_1"],
    });
  });

  it.each([
    { REDDIT_SUBREDDITS: "a,b/c" },
    { REDDIT_USER_AGENT: "curl/8.0" },
    { REDDIT_USER_AGENT: "server:listening:1.0 (by ada)" },
    { REDDIT_REQUESTS_PER_MINUTE: "9" },
  ])("refuse %j", (values) => {
    expect(schema.safeParse(values).success).toBe(false);
  });
});

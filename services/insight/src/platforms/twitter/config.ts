import { variable } from "@hourglass/runtime";
import * as z from "zod";

const POSTS_MIN = 100;
/** X sells no more a month by use. */
const POSTS_MAX = 3_000_000;
const POSTS_DEFAULT = 10_000;

/** The variables of the platform twitter. */
export const twitterVariables = {
  /** Token of an app of X's developer console. */
  TWITTER_BEARER_TOKEN: variable.secret(variable.text().optional()),
  TWITTER_BASE_URL: variable.url("https", "http").default("https://api.x.com"),
  /** Posts that may be read in a month of UTC: X bills each. */
  TWITTER_POSTS_PER_MONTH: variable.integer(POSTS_MIN, POSTS_MAX, POSTS_DEFAULT),
  /** How X names the fields of a request: it has begun to call tweets posts. */
  TWITTER_FIELD_NAMES: z.enum(["tweet", "post"], "tweet or post").default("tweet"),
};

import { variable } from "@hourglass/runtime";
import { PLATFORM } from "./platform.js";

/** Days for which postings are kept since a poll or an import last had them, by platform; those that are not named keep them. */
export type RetentionDays = Readonly<Partial<Record<string, number>>>;

const DAYS_MAX = 36_500;
const days = () => variable.optionalInteger(1, DAYS_MAX);
/** The rules of YouTube: what was not seen again for longer must go. */
const youtubeDays = () => variable.integer(1, DAYS_MAX, 30);

/** The rules of LinkedIn set a longest time for each kind of data. */
const linkedinDays = () => variable.integer(1, DAYS_MAX, 180);

/** The variables of retention, one for each platform; Insight keeps to them, and the gateway tells them. */
export const retentionVariables = {
  RETENTION_DAYS_TWITTER: days(),
  RETENTION_DAYS_REDDIT: days(),
  RETENTION_DAYS_NEWS: days(),
  RETENTION_DAYS_YOUTUBE_VIDEOS: youtubeDays(),
  RETENTION_DAYS_YOUTUBE_COMMENTS: youtubeDays(),
  RETENTION_DAYS_FACEBOOK: days(),
  RETENTION_DAYS_INSTAGRAM: days(),
  RETENTION_DAYS_LINKEDIN: linkedinDays(),
  RETENTION_DAYS_TIKTOK: days(),
  RETENTION_DAYS_BLUESKY: days(),
  RETENTION_DAYS_MASTODON: days(),
};

/** Days by platform, from the values of the variables. */
export function readRetentionDays(values: {
  readonly [K in keyof typeof retentionVariables]?: number | undefined;
}): RetentionDays {
  const given: Readonly<Record<string, number | undefined>> = values;
  return Object.fromEntries(
    PLATFORM.names.flatMap((platform) => {
      const kept = given[`RETENTION_DAYS_${platform.replaceAll("-", "_").toUpperCase()}`];
      return kept === undefined ? [] : [[platform, kept]];
    }),
  );
}

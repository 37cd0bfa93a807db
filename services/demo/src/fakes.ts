import { FeedUpstream } from "./feeds.js";
import { LinkedinUpstream } from "./linkedin.js";
import { MetaUpstream } from "./meta.js";
import { RedditUpstream } from "./reddit.js";
import { SUBJECTS } from "./stream.js";
import { TiktokUpstream } from "./tiktok.js";
import { TwitterUpstream } from "./twitter.js";
import { YoutubeUpstream } from "./youtube.js";

/** Credentials that only the fakes know. */
const TOKEN = "demo-token-of-a-fake";
const SECRET = "demo-secret-of-a-fake";
const INSTAGRAM_USER = "17841400000000009";
/** The demo reads more often than platforms allow. */
const UNLIMITED = 1_000_000_000;

/** A fake of every platform. */
export interface Fakes {
  readonly twitter: TwitterUpstream;
  readonly reddit: RedditUpstream;
  readonly news: FeedUpstream;
  readonly youtube: YoutubeUpstream;
  readonly tiktok: TiktokUpstream;
  readonly meta: MetaUpstream;
  readonly linkedin: LinkedinUpstream;
}

/** Starts all fakes on free ports of the loopback address, without limits. Default clock: the real one. */
export async function startFakes(now: () => number = Date.now): Promise<Fakes> {
  const [twitter, reddit, news, youtube, tiktok, meta, linkedin] = await Promise.all([
    TwitterUpstream.start({ token: TOKEN, now }),
    RedditUpstream.start({ clientId: "demo-app", clientSecret: SECRET, now }),
    FeedUpstream.start({ now }),
    YoutubeUpstream.start({ key: TOKEN, now, searchesPerDay: UNLIMITED, unitsPerDay: UNLIMITED }),
    TiktokUpstream.start({ key: "demo-client", secret: SECRET, now }),
    MetaUpstream.start({ token: TOKEN, userId: INSTAGRAM_USER, now }),
    LinkedinUpstream.start({ token: TOKEN, now }),
  ]);
  for (const window of [twitter.window, reddit.window, tiktok.quota, meta.calls, linkedin.quota]) {
    window.limit = UNLIMITED;
  }
  for (const { organization, page, account } of SUBJECTS) {
    linkedin.organizations.set(organization.id, organization);
    meta.facebook.addPage(page);
    meta.instagram.addAccount(account);
  }
  return { twitter, reddit, news, youtube, tiktok, meta, linkedin };
}

export async function stopFakes(fakes: Fakes): Promise<void> {
  await Promise.all(Object.values<{ close(): Promise<void> }>({ ...fakes }).map((fake) => fake.close()));
}

/** The settings with which the product reads the fakes instead of the platforms. */
export function settingsFor({ twitter, reddit, news, youtube, tiktok, meta, linkedin }: Fakes): Record<string, string> {
  const all = (nameOf: (subject: (typeof SUBJECTS)[number]) => string): string => SUBJECTS.map(nameOf).join(",");
  return {
    ...{ TWITTER_BASE_URL: twitter.origin, TWITTER_BEARER_TOKEN: TOKEN, TWITTER_POSTS_PER_MONTH: "3000000" },
    ...{ REDDIT_BASE_URL: reddit.origin, REDDIT_AUTH_URL: reddit.tokenServer.origin, REDDIT_CLIENT_ID: "demo-app" },
    ...{ REDDIT_CLIENT_SECRET: SECRET, REDDIT_USER_AGENT: "server:hourglass-demo:1.0 (by /u/ada_invented)" },
    ...{ REDDIT_SUBREDDITS: all(({ subreddit }) => subreddit), REDDIT_COMMENTS: "true" },
    REDDIT_REQUESTS_PER_MINUTE: "10000",
    // Feeds may lead anywhere, so that they need leave to be on this machine.
    ...{ NEWS_FEEDS: news.feeds.join(","), ALLOW_PRIVATE_URLS: "true" },
    ...{ YOUTUBE_BASE_URL: youtube.origin, YOUTUBE_API_KEY: TOKEN },
    ...{ YOUTUBE_SEARCHES_PER_DAY: "1000000", YOUTUBE_UNITS_PER_DAY: "100000000" },
    ...{ TIKTOK_BASE_URL: tiktok.origin, TIKTOK_CLIENT_KEY: "demo-client", TIKTOK_CLIENT_SECRET: SECRET },
    TIKTOK_REQUESTS_PER_DAY: "100000",
    ...{ FACEBOOK_BASE_URL: meta.origin, FACEBOOK_ACCESS_TOKEN: TOKEN, FACEBOOK_REQUESTS_PER_HOUR: "100000" },
    FACEBOOK_PAGES: all(({ page }) => page.username),
    ...{ INSTAGRAM_BASE_URL: meta.origin, INSTAGRAM_ACCESS_TOKEN: TOKEN, INSTAGRAM_USER_ID: INSTAGRAM_USER },
    ...{ INSTAGRAM_ACCOUNTS: all(({ account }) => account.username), INSTAGRAM_REQUESTS_PER_HOUR: "100000" },
    ...{ LINKEDIN_BASE_URL: linkedin.origin, LINKEDIN_SIGN_IN_URL: linkedin.origin, LINKEDIN_ACCESS_TOKEN: TOKEN },
    ...{ LINKEDIN_ORGANIZATIONS: all(({ organization }) => organization.id), LINKEDIN_REQUESTS_PER_DAY: "1000000" },
  };
}

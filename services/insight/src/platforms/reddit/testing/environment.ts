import type { RedditUpstream } from "@hourglass/demo";

/** The app that the fake knows. */
export const CREDENTIALS = { clientId: "demo-app", clientSecret: "demo-secret-1234" };
export const USER_AGENT = "server:listening:1.0 (by /u/ada_example)";

/** The variables with which a connector asks a fake. */
export function environment({ origin, tokenServer }: RedditUpstream): Record<string, string> {
  return {
    REDDIT_CLIENT_ID: CREDENTIALS.clientId,
    REDDIT_CLIENT_SECRET: CREDENTIALS.clientSecret,
    REDDIT_USER_AGENT: USER_AGENT,
    REDDIT_BASE_URL: origin,
    REDDIT_AUTH_URL: tokenServer.origin,
  };
}

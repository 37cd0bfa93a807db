import type { Values } from "@hourglass/runtime";
import { definePlatform } from "../connector.js";
import { instagramVariables } from "./config.js";
import { SHARED_HASHTAGS } from "./hashtags/shared-hashtags.js";

const MISSING =
  "Set INSTAGRAM_ACCESS_TOKEN and INSTAGRAM_USER_ID to a token and a professional account (docs/platforms.md), or import postings.";

/** Instagram, by hashtags and by accounts that are followed: Meta offers no search of captions. */
export const INSTAGRAM = definePlatform({
  name: "instagram",
  variables: instagramVariables,
  origins: (values) => [new URL(baseUrlOf(values)).origin],
  shared: () => SHARED_HASHTAGS,
  open: async (deps, values) => {
    const { INSTAGRAM_ACCESS_TOKEN: token, INSTAGRAM_USER_ID: userId, INSTAGRAM_APP_SECRET: appSecret } = values;
    if (token === undefined || userId === undefined) return { missing: MISSING };
    const [{ Graph }, { createInstagramConnector }, { ownFailure }, { HashtagLedger }] = await Promise.all([
      import("../meta/graph/graph.js"),
      import("./connector.js"),
      import("./failure.js"),
      import("./hashtags/hashtag-ledger.js"),
    ]);
    const requests = {
      name: "instagram.requests",
      limit: values.INSTAGRAM_REQUESTS_PER_HOUR,
      setting: "INSTAGRAM_REQUESTS_PER_HOUR",
    };
    const graph = new Graph(deps, {
      ...{ service: "Instagram", credential: "INSTAGRAM_ACCESS_TOKEN", secretName: "INSTAGRAM_APP_SECRET" },
      ...{ baseUrl: baseUrlOf(values), version: values.INSTAGRAM_API_VERSION },
      ...{ token, appSecret, requests, own: ownFailure },
    });
    const hashtagsPerWeek = values.INSTAGRAM_HASHTAGS_PER_WEEK;
    const ledger = await HashtagLedger.open(deps, { account: userId, limit: hashtagsPerWeek });
    const accounts = values.INSTAGRAM_ACCOUNTS;
    const connector = createInstagramConnector({ graph, ledger, userId, accounts, hashtagsPerWeek, now: deps.now });
    return { connector };
  },
});

function baseUrlOf({ INSTAGRAM_BASE_URL: own, GRAPH_BASE_URL: shared }: Values<typeof instagramVariables>): string {
  return own ?? shared;
}

import type { Values } from "@hourglass/runtime";
import { definePlatform } from "../connector.js";
import { facebookVariables } from "./config.js";

const MISSING =
  "Set FACEBOOK_ACCESS_TOKEN to the token of a system user of an app with access to pages (docs/platforms.md), or import postings.";

/** Facebook, by pages that are followed: Meta offers no search of posts. */
export const FACEBOOK = definePlatform({
  name: "facebook",
  variables: facebookVariables,
  origins: (values) => [new URL(baseUrlOf(values)).origin],
  open: async (deps, values) => {
    const { FACEBOOK_ACCESS_TOKEN: token, FACEBOOK_APP_SECRET: appSecret, FACEBOOK_PAGES: serverPages } = values;
    if (token === undefined) return { missing: MISSING };
    const [{ Graph }, { createFacebookConnector }] = await Promise.all([
      import("../meta/graph/graph.js"),
      import("./connector.js"),
    ]);
    const requests = {
      name: "facebook.requests",
      limit: values.FACEBOOK_REQUESTS_PER_HOUR,
      setting: "FACEBOOK_REQUESTS_PER_HOUR",
    };
    const graph = new Graph(deps, {
      ...{ service: "Facebook", credential: "FACEBOOK_ACCESS_TOKEN", secretName: "FACEBOOK_APP_SECRET" },
      ...{ baseUrl: baseUrlOf(values), version: values.FACEBOOK_API_VERSION },
      ...{ token, appSecret, requests },
    });
    return { connector: createFacebookConnector({ graph, now: deps.now, serverPages }) };
  },
});

function baseUrlOf({ FACEBOOK_BASE_URL: own, GRAPH_BASE_URL: shared }: Values<typeof facebookVariables>): string {
  return own ?? shared;
}

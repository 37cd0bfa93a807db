import { type Values, variable } from "@hourglass/runtime";
import * as z from "zod";
import { definePlatform } from "../connector.js";
import { graphVariables } from "../graph.js";
import { pageNameOf } from "./query.js";

const REQUESTS_MAX = 100_000;
/** What Meta allows an app with one user. */
const REQUESTS_DEFAULT = 200;

/** The variables of the platform facebook. */
const facebookVariables = {
  ...graphVariables,
  /** Token of a system user, or of a page. */
  FACEBOOK_ACCESS_TOKEN: variable.secret(variable.text().optional()),
  /** Secret of the app, by which requests are signed. */
  FACEBOOK_APP_SECRET: variable.secret(variable.text().optional()),
  /** Pages that every search follows. */
  FACEBOOK_PAGES: variable.entries(
    (entry) => pageNameOf(entry),
    "ids or names of pages, with commas between, or none",
    [],
    "none",
  ),
  /** Default: GRAPH_BASE_URL. */
  FACEBOOK_BASE_URL: variable.url("https", "http").optional(),
  FACEBOOK_API_VERSION: z
    .string()
    .regex(/^v\d{1,2}\.\d$/, "a version such as v25.0")
    .default("v25.0"),
  FACEBOOK_REQUESTS_PER_HOUR: variable.integer(1, REQUESTS_MAX, REQUESTS_DEFAULT),
};

const MISSING =
  "Set FACEBOOK_ACCESS_TOKEN to the token of a system user of an app with access to pages (docs/platforms/facebook.md), or import postings.";

/** Facebook, by pages that are followed: Meta offers no search of posts. */
export const FACEBOOK = definePlatform({
  name: "facebook",
  variables: facebookVariables,
  origins: (values) => [new URL(baseUrlOf(values)).origin],
  open: async (deps, values) => {
    const { FACEBOOK_ACCESS_TOKEN: token, FACEBOOK_APP_SECRET: appSecret, FACEBOOK_PAGES: serverPages } = values;
    if (token === undefined) return { missing: MISSING };
    const [{ Graph }, { FacebookConnector }] = await Promise.all([import("../graph.js"), import("./connector.js")]);
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
    return { connector: new FacebookConnector(graph, serverPages, deps.now) };
  },
});

function baseUrlOf({ FACEBOOK_BASE_URL: own, GRAPH_BASE_URL: shared }: Values<typeof facebookVariables>): string {
  return own ?? shared;
}

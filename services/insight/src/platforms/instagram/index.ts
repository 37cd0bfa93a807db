import { type Values, variable } from "@hourglass/runtime";
import * as z from "zod";
import { definePlatform } from "../connector.js";
import { graphVariables } from "../graph.js";
import { HashtagLedger, SHARED_HASHTAGS } from "./hashtag-ledger.js";
import { accountNameOf } from "./query.js";

const REQUESTS_MAX = 100_000;
/** What Meta allows an app with one user. */
const REQUESTS_DEFAULT = 200;
/** What Instagram allows one account. */
const HASHTAGS_MAX = 30;

/** The variables of the platform instagram. */
const instagramVariables = {
  ...graphVariables,
  /** Token of a system user with access to the page of the Instagram account. */
  INSTAGRAM_ACCESS_TOKEN: variable.secret(variable.text().optional()),
  /** Secret of the app, by which requests are signed. */
  INSTAGRAM_APP_SECRET: variable.secret(variable.text().optional()),
  /** Id of the professional account in whose name Instagram is asked. */
  INSTAGRAM_USER_ID: z
    .string()
    .regex(/^\d{1,30}$/, "the id of an account, digits only")
    .optional(),
  /** Professional accounts that every search follows. */
  INSTAGRAM_ACCOUNTS: variable.entries(
    (entry) => accountNameOf(entry),
    "names of accounts, with commas between, or none",
    [],
    "none",
  ),
  /** Different hashtags in seven days; less where other programs ask in the name of the same account. */
  INSTAGRAM_HASHTAGS_PER_WEEK: variable.integer(1, HASHTAGS_MAX, HASHTAGS_MAX),
  INSTAGRAM_REQUESTS_PER_HOUR: variable.integer(1, REQUESTS_MAX, REQUESTS_DEFAULT),
  /** Default: GRAPH_BASE_URL. */
  INSTAGRAM_BASE_URL: variable.url("https", "http").optional(),
  INSTAGRAM_API_VERSION: z
    .string()
    .regex(/^v\d{1,2}\.\d$/, "a version such as v25.0")
    .default("v25.0"),
};

const MISSING =
  "Set INSTAGRAM_ACCESS_TOKEN and INSTAGRAM_USER_ID to a token and a professional account (docs/platforms/instagram.md), or import postings.";

/** Instagram, by hashtags and by accounts that are followed: Meta offers no search of captions. */
export const INSTAGRAM = definePlatform({
  name: "instagram",
  variables: instagramVariables,
  origins: (values) => [new URL(baseUrlOf(values)).origin],
  shared: () => SHARED_HASHTAGS,
  open: async (deps, values) => {
    const { INSTAGRAM_ACCESS_TOKEN: token, INSTAGRAM_USER_ID: userId, INSTAGRAM_APP_SECRET: appSecret } = values;
    if (token === undefined || userId === undefined) return { missing: MISSING };
    const [{ Graph }, { InstagramConnector }, { ownError }] = await Promise.all([
      import("../graph.js"),
      import("./connector.js"),
      import("./api.js"),
    ]);
    const requests = {
      name: "instagram.requests",
      limit: values.INSTAGRAM_REQUESTS_PER_HOUR,
      setting: "INSTAGRAM_REQUESTS_PER_HOUR",
    };
    const graph = new Graph(deps, {
      ...{ service: "Instagram", credential: "INSTAGRAM_ACCESS_TOKEN", secretName: "INSTAGRAM_APP_SECRET" },
      ...{ baseUrl: baseUrlOf(values), version: values.INSTAGRAM_API_VERSION },
      ...{ token, appSecret, requests, own: ownError },
    });
    const hashtagsPerWeek = values.INSTAGRAM_HASHTAGS_PER_WEEK;
    const ledger = await HashtagLedger.open(deps, { account: userId, limit: hashtagsPerWeek });
    const accounts = values.INSTAGRAM_ACCOUNTS;
    return { connector: new InstagramConnector(graph, ledger, { userId, accounts, hashtagsPerWeek, now: deps.now }) };
  },
});

function baseUrlOf({ INSTAGRAM_BASE_URL: own, GRAPH_BASE_URL: shared }: Values<typeof instagramVariables>): string {
  return own ?? shared;
}

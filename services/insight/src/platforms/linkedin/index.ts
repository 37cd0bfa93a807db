import { variable } from "@hourglass/runtime";
import * as z from "zod";
import { definePlatform } from "../connector.js";
import { organizationIdOf } from "./query.js";

const REQUESTS_MAX = 1_000_000;
/** What the development tier allows an app in a day is of this order. */
const REQUESTS_DEFAULT = 400;

/** The variables of the platform linkedin. */
const linkedinVariables = {
  /** Token of a member who administers the organizations; it ends after 60 days. */
  LINKEDIN_ACCESS_TOKEN: variable.secret(variable.text().optional()),
  /** Instead of it: what access tokens are renewed with. */
  LINKEDIN_REFRESH_TOKEN: variable.secret(variable.text().optional()),
  LINKEDIN_CLIENT_ID: variable.text().optional(),
  LINKEDIN_CLIENT_SECRET: variable.secret(variable.text().optional()),
  /** Organizations that every search follows. */
  LINKEDIN_ORGANIZATIONS: variable.alsoSpelled(
    variable.entries(
      (entry) => organizationIdOf(entry),
      "ids of organizations, with commas between, or none",
      [],
      "none",
    ),
    "LINKEDIN_ORGANISATIONS",
  ),
  LINKEDIN_BASE_URL: variable.url("https", "http").default("https://api.linkedin.com"),
  /** Where tokens are renewed. */
  LINKEDIN_SIGN_IN_URL: variable.url("https", "http").default("https://www.linkedin.com"),
  /** Month of the API's version: each is answered for a year at least. */
  LINKEDIN_VERSION: z
    .string()
    .regex(/^20\d{2}(0[1-9]|1[0-2])$/, "a month such as 202607")
    .default("202607"),
  /** Requests that may be sent in a day of UTC. */
  LINKEDIN_REQUESTS_PER_DAY: variable.integer(1, REQUESTS_MAX, REQUESTS_DEFAULT),
};

const MISSING =
  "Set LINKEDIN_ACCESS_TOKEN to the token of a member who administers organizations, or LINKEDIN_REFRESH_TOKEN, " +
  "LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET (docs/platforms/linkedin.md), or import postings.";

const POST = /^\/feed\/update\/(urn:li:(?:share|ugcPost):\d+)/;

/** LinkedIn, by organizations that a member administers: LinkedIn offers no search of posts. */
export const LINKEDIN = definePlatform({
  name: "linkedin",
  variables: linkedinVariables,
  origins: ({ LINKEDIN_BASE_URL: baseUrl, LINKEDIN_SIGN_IN_URL: signInUrl }) => [
    new URL(baseUrl).origin,
    new URL(signInUrl).origin,
  ],
  socialIdIn: ({ hostname, pathname }) =>
    hostname === "www.linkedin.com" ? POST.exec(pathname.replaceAll(/%3a/gi, ":"))?.[1] : undefined,
  open: async (deps, values) => {
    const { LINKEDIN_ACCESS_TOKEN: token, LINKEDIN_SIGN_IN_URL: signInUrl } = values;
    const { LINKEDIN_REFRESH_TOKEN: refreshToken, LINKEDIN_CLIENT_ID: id, LINKEDIN_CLIENT_SECRET: secret } = values;
    const isRenewable = refreshToken !== undefined && id !== undefined && secret !== undefined;
    const access = isRenewable ? { signInUrl, refreshToken, id, secret } : token;
    if (access === undefined) return { missing: MISSING };
    const [{ LinkedinApi }, { LinkedinConnector }] = await Promise.all([import("./api.js"), import("./connector.js")]);
    const { LINKEDIN_BASE_URL: baseUrl, LINKEDIN_VERSION: version, LINKEDIN_REQUESTS_PER_DAY: requestsPerDay } = values;
    const api = new LinkedinApi(deps, { baseUrl, version, requestsPerDay, access });
    const serverIds = values.LINKEDIN_ORGANIZATIONS;
    return { connector: new LinkedinConnector(api, { serverIds, requestsPerDay, now: deps.now }) };
  },
});

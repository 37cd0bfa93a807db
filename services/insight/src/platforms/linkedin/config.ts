import { variable } from "@hourglass/runtime";
import * as z from "zod";
import { organisationIdOf } from "./followed-organisations.js";

const REQUESTS_MAX = 1_000_000;
/** What the development tier allows an app in a day is of this order. */
const REQUESTS_DEFAULT = 400;

/** The variables of the platform linkedin. */
export const linkedinVariables = {
  /** Token of a member who administers the organisations; it ends after 60 days. */
  LINKEDIN_ACCESS_TOKEN: variable.secret(variable.text().optional()),
  /** Instead of it: what access tokens are renewed with. */
  LINKEDIN_REFRESH_TOKEN: variable.secret(variable.text().optional()),
  LINKEDIN_CLIENT_ID: variable.text().optional(),
  LINKEDIN_CLIENT_SECRET: variable.secret(variable.text().optional()),
  /** Organizations that every search follows. */
  LINKEDIN_ORGANIZATIONS: variable.alsoSpelled(
    variable.entries(
      (entry) => organisationIdOf(entry),
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

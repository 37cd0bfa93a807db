import { variable } from "@hourglass/runtime";
import * as z from "zod";
import { graphVariables } from "../meta/config.js";
import { accountNameOf } from "./account-name.js";

const REQUESTS_MAX = 100_000;
/** What Meta allows an app with one user. */
const REQUESTS_DEFAULT = 200;
/** What Instagram allows one account. */
const HASHTAGS_MAX = 30;

/** The variables of the platform instagram. */
export const instagramVariables = {
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

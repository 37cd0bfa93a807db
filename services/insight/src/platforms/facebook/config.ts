import { variable } from "@hourglass/runtime";
import * as z from "zod";
import { graphVariables } from "../meta/config.js";
import { pageNameOf } from "./followed-pages.js";

const REQUESTS_MAX = 100_000;
/** What Meta allows an app with one user. */
const REQUESTS_DEFAULT = 200;

/** The variables of the platform facebook. */
export const facebookVariables = {
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

import { SummarizeRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { INSIGHT_PLACES } from "../../paths/insight-paths.js";
import {
  INSIGHT_EXAMPLE,
  CHECK_EXAMPLE,
  COVERAGE_EXAMPLE,
  PLATFORMS_EXAMPLE,
  QUERY_EXAMPLE,
} from "./insight-examples.js";
import { limitsOf } from "../limits.js";
import { day, POSTING_FILTERS, query } from "./posting-filters.js";
import { deleteRoute, listRoute, readRoute } from "../record-routes.js";
import { answer, created, describePlaces, json, parameter, type RouteDoc } from "../route.js";
import { array, integer, recordId, ref } from "../schema.js";
import { SUMMARY_EXAMPLE } from "./summary-example.js";

const TAG = "Insights";
const notice = json(ref("Notice"));

function change(summary: string, description: string): Omit<RouteDoc, "id"> {
  return {
    tag: TAG,
    summary,
    description: `${description} Repeating it changes nothing.`,
    parameters: [parameter("Id")],
    answers: { 200: answer("Done.", notice) },
    failures: [400],
  };
}

const head = (summary: string) => ({ tag: TAG, summary }) as const;
const span = [day("start_date", "From this day on."), day("end_date", "Before this day.")];

const summaryOptions = [
  day("start_date", "From this day on; by default, 30 days before `end_date`."),
  day(
    "end_date",
    "Before this day; by default, tomorrow. At most 31 days after `start_date` for hours, 366 for days, 1,830 for weeks.",
  ),
  query("interval", "Length of the steps of the series; by default, a day.", ref("SummaryInterval")),
  query("top", "Length of the lists; by default, 20.", integer(undefined, limitsOf(SummarizeRequestSchema, "top"))),
  query(
    "compare",
    "Ids of other insights to compare the share of voice with; repeat it, or separate them by commas.",
    array(recordId("Id of an insight."), limitsOf(SummarizeRequestSchema, "compare")),
  ),
];

/** The routes of insights. */
export const INSIGHT_ROUTES: Readonly<Record<string, RouteDoc>> = describePlaces(INSIGHT_PLACES, {
  createInsight: {
    ...head("Create an insight"),
    description: "Searches social platforms continuously, or once as a preview, and analyses what it finds.",
    parameters: [parameter("IdempotencyKey")],
    body: json(ref("NewInsight"), QUERY_EXAMPLE),
    answers: { 200: created("It runs. The Location header holds its id.", notice) },
  },
  checkInsight: {
    ...head("Check a query"),
    description: "Tells what a search would do on each platform. Stores nothing and sends nothing to the platforms.",
    body: json(ref("NewInsight"), QUERY_EXAMPLE),
    answers: { 200: answer("The plan.", json(ref("InsightCheck"), CHECK_EXAMPLE)) },
  },
  listPlatforms: {
    ...head("List platforms"),
    description: "Whether this server can collect from each platform, and what is missing otherwise.",
    answers: { 200: answer("All platforms.", json(ref("Platforms"), PLATFORMS_EXAMPLE)) },
  },
  listInsights: listRoute(head("List insights"), json(ref("InsightPage"))),
  getInsight: readRoute(head("Read an insight"), "The insight.", json(ref("Insight"), INSIGHT_EXAMPLE)),
  deleteInsight: deleteRoute({ ...head("Delete an insight"), description: "Erases the search and all its postings." }),
  pauseInsight: change("Pause an insight", "Afterwards no new posting is stored."),
  resumeInsight: change("Resume an insight", "Collecting goes on."),
  getCoverage: {
    ...head("Read the coverage of an insight"),
    description:
      "For which spans of time the collection from each platform was complete; by default, since its creation.",
    parameters: [parameter("Id"), ...span],
    answers: { 200: answer("The spans, in order.", json(ref("Coverage"), COVERAGE_EXAMPLE)) },
    failures: [400, 404],
  },
  summarizeInsight: {
    ...head("Summarise an insight"),
    description:
      "Counts the analysed postings as they are now: totals, a series by time, the most frequent topics, hashtags, " +
      "authors, labels and domains, the coverage, and spikes. With filters other than platforms and days the postings " +
      "are counted one by one, which takes longer.",
    parameters: [parameter("Id"), ...summaryOptions, ...POSTING_FILTERS],
    answers: { 200: answer("The summary.", json(ref("Summary"), SUMMARY_EXAMPLE)) },
    failures: [400, 404, 504],
  },
});

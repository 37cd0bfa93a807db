import { RunExportSchema } from "@hourglass/proto/job/v1/job";
import { DEFAULT_JOB_POLICY, type JobKind, jobMessage, type Lane, queuesOf } from "@hourglass/runtime";
import { EXPORT, type ExportRecord } from "../records/export.js";

const [queue] = queuesOf(RunExportSchema) as [string];

/** The queue of all exports. */
export const RUN_QUEUE = queue;

const LANE: Lane = { name: "exports", queue };

/** The job kind of exports. */
export const EXPORT_KIND: JobKind<ExportRecord> = {
  name: EXPORT,
  message: jobMessage(RunExportSchema, "exportId"),
  lanes: { shared: LANE, perCompany: [], laneOf: () => LANE },
  policy: DEFAULT_JOB_POLICY,
  tooManyCode: "too_many_unfinished_exports",
  sentences: {
    gaveUp: "The export did not succeed in several attempts. Create the export again, or ask whoever runs this server.",
    needsNewerRelease: (unknown) =>
      `No worker of this server knows: ${unknown}. Create the export again once the server is up to date.`,
    tooMany: "Too many exports of your company are unfinished. Try again later.",
  },
  findUnknown: () => undefined,
  spanAttributes: ({ insights }) => ({ "hourglass.insights": insights.length }),
};

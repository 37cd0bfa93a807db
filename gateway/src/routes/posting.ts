import { toPostingJson } from "@hourglass/posting";
import { AppError } from "@hourglass/runtime";
import * as z from "zod";
import { jsonReply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { aRecord, jsonWith } from "./answers.js";
import { valuesOf } from "./input.js";
import { reasonedAnalyses } from "./operation-examples.js";
import { AnalysisJson, writeAnalysis } from "./operation-results.js";
import { INSIGHTS } from "./platforms.js";
import { POSTING_EXAMPLE } from "./posting-example.js";
import { Posting } from "./posting-schema.js";
import * as s from "./schema.js";

const SinglePosting = s.object(
  "SinglePosting",
  {
    ...Posting.shape,
    analyses: s.optional(
      s.list(AnalysisJson, {
        description:
          "With explain=true: what the present models find in the first 20,000 characters of the text, as of operations with " +
          "`explain`; offsets are in code points. The rest of the posting is what is stored, which earlier models may have found.",
      }),
    ),
  },
  "A posting, and why it is read as it is.",
);

const EXAMPLES = {
  stored: { summary: "What is stored", value: POSTING_EXAMPLE },
  explained: {
    summary: "With explain=true: also why it is read so",
    value: { ...POSTING_EXAMPLE, analyses: reasonedAnalyses(0) },
  },
};

const Options = z.object({
  explain: z.boolean().optional().meta({ description: "`true`: analyze the text once more, and explain the results." }),
});

/** Analyzing one text takes milliseconds, but longer texts of others may be in work, and models have to be loaded first. */
const EXPLAIN_TIMEOUT_MS = 60_000;

/** Reading one posting. */
export function postingRoute(service: Clients["insight"]): Endpoint {
  return route(`GET ${INSIGHTS}/:id/postings/:key`, "getPosting", "Read a posting", {
    ...({ tag: "Insights", access: "insight", record: "insight" } as const),
    description: "`key` is that of its `more_info`.",
    ...aRecord("The posting.", jsonWith(SinglePosting, EXAMPLES)),
    failures: [400, 404, 504],
    input: valuesOf(Options),
    handle: async (context, { explain = false }) => {
      const request = { id: context.pathId, key: context.pathKey, explain };
      const options = explain ? context.options(EXPLAIN_TIMEOUT_MS) : context.options();
      const { posting, analyses } = await service.getPosting(request, options);
      if (posting === undefined) throw new AppError("internal", "The posting could not be read. Try again later.");
      return jsonReply(200, { ...toPostingJson(posting), ...(explain && { analyses: analyses.map(writeAnalysis) }) });
    },
  });
}

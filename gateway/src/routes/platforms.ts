import { PLATFORM } from "@hourglass/posting";
import {
  CompletenessSchema,
  CoverageSpanSchema,
  GapReasonSchema,
  PlatformCoverageSchema,
} from "@hourglass/proto/insight/v1/coverage";
import {
  GetCoverageRequestSchema,
  GetCoverageResponseSchema,
  ListPlatformsResponseSchema,
  PlatformInfoSchema,
} from "@hourglass/proto/insight/v1/insight_service";
import { CollectionModeSchema, PlatformStatusSchema } from "@hourglass/proto/insight/v1/platform";
import { Spelling } from "@hourglass/runtime/json";
import * as z from "zod";
import { jsonReply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { aRecord, json } from "./answers.js";
import { writerOf } from "./conversion.js";
import { messageOf } from "./input.js";
import * as s from "./schema.js";

/** Path of insights. */
export const INSIGHTS = "/api/v2/products/insight";

/** Any platform that a response can name; the document lists those of its server. */
export const Platform = s.spelled(PLATFORM, "A social platform.");

/** A platform that a request may name: one of this server's. */
export function platformAmong(platforms: readonly string[]): z.ZodType<string, string> {
  return z.enum(platforms as [string, ...string[]]).meta({ $ref: "Platform" });
}

export const PlatformState = s.spelled(
  new Spelling(PlatformStatusSchema, "_"),
  "`waiting`: ready for its next poll; `importing`: not configured, but postings were imported; `stalled`: this server does not do what is due.",
  "PlatformState",
);

export const CollectionMode = s.spelled(
  new Spelling(CollectionModeSchema),
  "`search`: the query is sent; `follow`: configured sources are read and filtered here; `import`: imports only.",
);

/** Whether the server can collect from a platform. */
export const PlatformInfoJson = s.response("PlatformInfo", PlatformInfoSchema, {
  platform: Platform,
  state: s.from("status", PlatformState),
  mode: CollectionMode,
  missing: s.nullable(s.text("What is missing, and how to set it.")),
});
const Platforms = s.response("Platforms", ListPlatformsResponseSchema, { platforms: s.list(PlatformInfoJson) });

const EXAMPLE = {
  platforms: [
    { platform: "news", state: "waiting", mode: "follow", missing: null },
    {
      platform: "twitter",
      state: "not_configured",
      mode: "search",
      missing: "Set TWITTER_BEARER_TOKEN to collect from twitter.",
    },
  ],
};

export const Completeness = s.spelled(
  new Spelling(CompletenessSchema),
  "`complete`: all that the platform returned; `thin`: possibly not all; `unknown`: nothing is known.",
);

const CoverageSpan = s.response("CoverageSpan", CoverageSpanSchema, {
  start: s.moment("Inclusive."),
  end: s.moment("Exclusive."),
  completeness: Completeness,
  reasons: s.list(
    s.spelled(
      new Spelling(GapReasonSchema, "_"),
      "Why a span is not complete. `query_changed`: the query of that time did not name the platform (`unknown`), or what was " +
        "not collected before a change of the query was collected by the one after it (`thin`).",
    ),
  ),
});

export const PlatformCoverage = s.response("PlatformCoverage", PlatformCoverageSchema, {
  platform: Platform,
  spans: s.list(CoverageSpan),
});

/** For which spans of time the collection was complete. */
export const Coverage = s.response("Coverage", GetCoverageResponseSchema, { platforms: s.list(PlatformCoverage) });

const span = (start: string, end: string, completeness: string, reasons: string[]) => ({
  start,
  end,
  completeness,
  reasons,
});
export const COVERAGE_EXAMPLE = {
  platforms: [
    {
      platform: "news",
      spans: [
        span("2026-01-31T00:00:00.000Z", "2026-01-31T11:50:00.000Z", "unknown", ["before_window"]),
        span("2026-01-31T11:50:00.000Z", "2026-02-01T00:00:00.000Z", "complete", []),
      ],
    },
  ],
};

const Days = s.request(GetCoverageRequestSchema, {
  start_date: s.from("start", s.optional(s.day("From this day on."))),
  end_date: s.from("end", s.optional(s.day("Before this day."))),
});

const writePlatforms = writerOf(Platforms);
export const writeCoverage = writerOf(Coverage);

/** What this server can collect, and what it has collected completely. */
export function platformRoutes(service: Clients["insight"]): Endpoint[] {
  const base = { tag: "Insights", access: "insight", record: "insight" } as const;
  return [
    route(`GET ${INSIGHTS}/platforms`, "listPlatforms", "List platforms", {
      ...base,
      description: "Whether this server can collect from each platform, and what is missing otherwise.",
      answers: { 200: { description: "All platforms.", content: json(Platforms, EXAMPLE) } },
      handle: async (context) => jsonReply(200, writePlatforms(await service.listPlatforms({}, context.options()))),
    }),
    route(`GET ${INSIGHTS}/:id/coverage`, "getCoverage", "Read the coverage of an insight", {
      ...base,
      description:
        "For which spans of time the collection from each platform was complete; by default, since its creation.",
      ...aRecord("The spans, in order.", json(Coverage, COVERAGE_EXAMPLE)),
      failures: [400, 404],
      input: messageOf(GetCoverageRequestSchema, { query: Days }),
      handle: async (context, request) =>
        jsonReply(200, writeCoverage(await service.getCoverage(request, context.options()))),
    }),
  ];
}

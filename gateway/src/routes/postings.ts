import { toPostingJson } from "@hourglass/posting";
import {
  ErasePostingsRequestSchema,
  ListPostingsRequestSchema,
  ListPostingsResponseSchema,
  type ListPostingsResponse,
} from "@hourglass/proto/insight/v1/insight_service";
import { jsonReply } from "../http/reply.js";
import type { RevisedResponses } from "../http/response-cache.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { json, PAGE, pageOf } from "./answers.js";
import { writerOf } from "./conversion.js";
import { messageOf } from "./input.js";
import { filterParameters, filterTimes } from "./filters.js";
import { INSIGHTS, platformAmong } from "./platforms.js";
import { POSTING_EXAMPLE } from "./posting-example.js";
import { Posting } from "./posting-schema.js";
import * as s from "./schema.js";
import { sortOrder } from "./sort-order.js";

const Page = pageOf("PostingPage", ListPostingsResponseSchema, {
  postings: s.from(({ postings }: ListPostingsResponse) => postings.map(toPostingJson), s.list(Posting)),
  total: s.optional(s.total("Postings of all pages; only with `total=true`.")),
  total_is_exact: s.from(
    ({ total, totalIsExact }: ListPostingsResponse) => (total === undefined ? undefined : totalIsExact),
    s.optional(s.boolean("False: there are at least `total` postings. Only with `total=true`.")),
  ),
  watermark: s.text("For `since` of a later request, which then gets what was analyzed after this answer."),
});
const PAGE_EXAMPLE = {
  postings: [POSTING_EXAMPLE],
  next_cursor: null,
  total: 1,
  total_is_exact: true,
  watermark: "1769860800000",
};

const writePage = writerOf(Page);

const SORTED_BY = s.choicesOf(s.fieldOf(ListPostingsRequestSchema, "sort")).filter((name) => name !== "");
const SortName = s.enumeration("PostingSort", SORTED_BY);

const Erasure = (platforms: readonly string[]) =>
  s.request(ErasePostingsRequestSchema, {
    platform: s.withKeywords(platformAmong(platforms), {
      description: "The platform of the postings.",
      example: "news",
    }),
    social_id: s.optional(s.text("Id of the posting on its platform.", { example: "1234567890" })),
    author_id: s.optional(s.text("Id of the author on the platform.")),
  });
const Erased = s.object("PostingsErased", { deleted: s.integer("Postings that were erased.", { format: "int64" }) });

/** Reading and erasing postings on a server with these platforms. */
export function postingRoutes(
  service: Clients["insight"],
  platforms: readonly string[],
  cached: RevisedResponses,
): Endpoint[] {
  const base = { tag: "Insights", access: "insight", record: "insight" } as const;
  const Filter = s.request(ListPostingsRequestSchema, {
    ...PAGE,
    ...filterParameters(platforms),
    ...filterTimes("Posted on this day or later.", "Posted before this day."),
    sort: s.optional(
      s.withKeywords(SortName, {
        description:
          "What they are sorted by: `engagement` is reactions, comments and shares together. Postings that do not state it " +
          "come last. By default, `posted_at`.",
      }),
    ),
    order: s.from("ascending", s.optional(sortOrder("By default, `desc`."))),
    total: s.from("with_total", s.optional(s.boolean("`true`: count all postings that match, up to 10,000."))),
    since: s.optional(
      s.text(
        "`watermark` of an earlier page: only postings that were analyzed since then, and perhaps some of the 15 seconds before.",
      ),
    ),
  });
  return [
    route(`DELETE ${INSIGHTS}/postings`, "erasePostings", "Erase postings", {
      ...base,
      description:
        "Erases a posting, or all postings of an author, from all searches of your company, for good: later polls and " +
        "imports skip them. Give either social_id or author_id.",
      input: messageOf(ErasePostingsRequestSchema, { query: Erasure(platforms) }),
      answers: { 200: { description: "How many there were.", content: json(Erased, { deleted: 1 }) } },
      failures: [400],
      handle: async (context, request) => {
        const { deleted } = await service.erasePostings(request, context.options());
        return jsonReply(200, { deleted: Number(deleted) });
      },
    }),
    route(`GET ${INSIGHTS}/:id/postings`, "listPostings", "List analyzed postings", {
      ...base,
      description:
        "Newest first by time of posting, or as `sort` and `order` say. Filters of several kinds must all be met, values of one " +
        "kind are alternatives. A page may be short, above all with `q`: continue until next_cursor is null.",
      answers: { 200: { description: "A page.", content: json(Page, PAGE_EXAMPLE) } },
      failures: [400, 404],
      input: messageOf(ListPostingsRequestSchema, {
        query: Filter,
        check: (request, context) => service.listPostings(request, context.options()),
      }),
      handle: (context, request) => {
        const read = (knownRevision: string) => service.listPostings({ ...request, knownRevision }, context.options());
        return cached.reply(context, read, writePage);
      },
    }),
  ];
}

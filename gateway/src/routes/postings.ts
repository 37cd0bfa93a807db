import { ListPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import type { Clients } from "../clients.js";
import type { Endpoint } from "../http/endpoint.js";
import { jsonReply } from "../http/reply.js";
import { accepted } from "../json/field-errors.js";
import { toAddPostingsRequest } from "../json/posting-import.js";
import { fromPosting } from "../json/posting.js";
import { fromCursor } from "../json/query.js";
import type { Violations } from "../json/reader.js";
import { INSIGHTS } from "./insights.js";

const POSTINGS = `${INSIGHTS}/:id/postings`;

/** Reading the postings of an insight, and importing the client's own. */
export function postingRoutes({ insight: service }: Pick<Clients, "insight">): Endpoint[] {
  return [
    {
      method: "GET",
      path: POSTINGS,
      access: "insight",
      handle: async (call) => {
        const violations: Violations = [];
        const request = { id: call.pathId, ...call.page(call.query(violations)) };
        const page = await service.listPostings(
          accepted(ListPostingsRequestSchema, request, violations),
          call.options(),
        );
        return jsonReply(200, {
          postings: page.postings.map(fromPosting),
          next_cursor: fromCursor(page.nextCursor),
        });
      },
    },
    {
      method: "POST",
      path: POSTINGS,
      access: "insight",
      body: "ndjson",
      handle: async (call, lines) => {
        const request = toAddPostingsRequest(call.pathId, lines, call.idempotencyKey);
        const { accepted: stored, duplicates } = await service.addPostings(request, call.options());
        return jsonReply(200, { accepted: stored, duplicates });
      },
    },
  ];
}

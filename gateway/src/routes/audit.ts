import { AuditEventSchema, AuditOutcomeSchema } from "@hourglass/proto/auth/v1/audit";
import { ListAuditEventsRequestSchema, ListAuditEventsResponseSchema } from "@hourglass/proto/auth/v1/auth_service";
import { Spelling } from "@hourglass/runtime/json";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { aPage, pageOf } from "./answers.js";
import * as s from "./schema.js";

const AuditEvent = s.response("AuditEvent", AuditEventSchema, {
  id: s.recordId("Id of the entry."),
  at: s.moment("When it was done."),
  action: s.text("What was done, such as `user.sign_in`, `key.create` or `export.delete`.", {
    pattern: "^[a-z]+\\.[a-z_]+$",
  }),
  outcome: s.spelled(
    new Spelling(AuditOutcomeSchema),
    "`unknown`: the server stopped or lost its storage meanwhile, so it may have been done.",
  ),
  user_id: s.nullable(s.recordId("Who did it, or made the API key. Null: a command of the operator did it.")),
  email: s.nullable(s.text("Of that user. Null once they are deleted.")),
  key_id: s.nullable(s.recordId("The API key that was used. Null without one.")),
  record_id: s.nullable(s.recordId("What it was about: the operation, file, insight, export, key or user.")),
});

const EXAMPLE = {
  id: 12,
  at: "2026-01-31T12:00:00.000Z",
  action: "export.delete",
  outcome: "done",
  user_id: 1,
  email: "admin@example.com",
  key_id: null,
  record_id: 4,
};

/** What was done in the company, for its admins. */
export function auditRoutes(auth: Clients["auth"]): Endpoint[] {
  return [
    route("GET /api/v2/audit", "listAuditEvents", "Read the audit log", {
      tag: "Accounts",
      access: "any",
      ...aPage({
        desc: ListAuditEventsRequestSchema,
        page: pageOf("AuditPage", ListAuditEventsResponseSchema, { events: s.list(AuditEvent) }),
        get: (request, options) => auth.listAuditEvents(request, options),
        example: { events: [EXAMPLE], next_cursor: null },
      }),
      description:
        "For admins. Who signed in or out, changed a password, made or deleted keys, users and exports, erased postings, and " +
        "deleted operations, files and insights, newest first; kept for a year unless configured. No contents.",
    }),
  ];
}

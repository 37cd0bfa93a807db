import {
  type AuditEvent as AuditEventMessage,
  AuditEventSchema,
  AuditOutcomeSchema,
} from "@hourglass/proto/auth/v1/audit";
import { ListAuditEventsRequestSchema, ListAuditEventsResponseSchema } from "@hourglass/proto/auth/v1/auth_service";
import { Spelling } from "@hourglass/runtime/json";
import * as z from "zod";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { aPage, pageOf } from "./answers.js";
import * as s from "./schema.js";

const Changes = z
  .record(
    z.string(),
    s.object("AuditChange", {
      from: z.unknown().meta({ description: "The value before. Null: there was none." }),
      to: z.unknown().meta({ description: "The value afterward. Null: there is none." }),
    }),
  )
  .meta({ id: "AuditChanges", description: "What was changed, by field. Never a secret." });

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
  email: s.nullable(s.text("Of that user, as it was then.")),
  key_id: s.nullable(s.recordId("The API key that was used. Null without one.")),
  record_id: s.nullable(s.recordId("What it was about: the operation, file, insight, export, key, user or company.")),
  record_name: s.nullable(s.text("What that was called then, such as the name of a key or the e-mail of a user.")),
  request_id: s.nullable(s.text("`X-Request-Id` of the request. Null: a command of the operator did it.")),
  client_address: s.nullable(s.text("Address of the client. Null: a command of the operator did it.")),
  changes: s.from(changesOf, Changes),
});

/** `{ "role": { "from": "member", "to": "viewer" } }` */
function changesOf({ changes }: AuditEventMessage): Record<string, { from: unknown; to: unknown }> {
  return Object.fromEntries(
    changes.map(({ field, fromJson, toJson }) => [field, { from: valueOf(fromJson), to: valueOf(toJson) }]),
  );
}

function valueOf(json: string): unknown {
  return json === "" ? null : (JSON.parse(json) as unknown);
}

const EXAMPLE = {
  id: 12,
  at: "2026-01-31T12:00:00.000Z",
  action: "user.update",
  outcome: "done",
  user_id: 1,
  email: "admin@example.com",
  key_id: null,
  record_id: 7,
  record_name: "bob@example.com",
  request_id: "0b7a3f5e-6f0c-4c1f-9a53-0d0a6d6b3c11",
  client_address: "192.0.2.7",
  changes: { role: { from: "member", to: "viewer" } },
};

const FILTER = {
  action: s.from("actions", s.optional(s.list(s.text(), { description: "Only what is called so." }))),
  user_id: s.optional(s.recordId("Only what this user did, with their API keys too.")),
  from: s.optional(s.momentOrDay("Only what was done at this moment or later; of a date its first moment in UTC.")),
  to: s.optional(s.momentOrDay("Only what was done before; of a date its first moment in UTC.")),
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
        more: FILTER,
        example: { events: [EXAMPLE], next_cursor: null },
      }),
      description:
        "For admins. Who signed in or out, changed a password, made, changed or deleted keys, users, insights and exports, " +
        "imported or erased postings, and deleted operations and files, newest first; kept for a year unless configured. " +
        "No contents.",
    }),
  ];
}

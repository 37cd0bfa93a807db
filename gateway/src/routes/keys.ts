import { ApiKeySchema } from "@hourglass/proto/auth/v1/api_key";
import {
  CreateApiKeyRequestSchema,
  CreateApiKeyResponseSchema,
  ListApiKeysRequestSchema,
  ListApiKeysResponseSchema,
} from "@hourglass/proto/auth/v1/auth_service";
import { creationReply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { aDeletion, aPage, created, json, pageOf } from "./answers.js";
import { writerOf } from "./conversion.js";
import { CREATED_BY_EXAMPLE, CreatedBy } from "./created-by.js";
import { messageOf } from "./input.js";
import { Scope } from "./me.js";
import * as s from "./schema.js";

/** Path of the API keys of the company. */
const KEYS = "/api/v2/keys";

const NewKey = s.request(
  CreateApiKeyRequestSchema,
  {
    name: s.text("What it is for."),
    scopes: s.list(Scope),
    read_only: s.nullish(s.boolean("Whether it only reads. Absent: false.")),
    expires_at: s.nullish(s.momentOrDay("When it ends. Null: never.")),
  },
  { id: "NewApiKey" },
);

const KEY = {
  id: s.recordId("Id of the API key."),
  name: s.text(),
  scopes: s.list(Scope),
  read_only: s.boolean("Whether it only reads."),
  prefix: s.text("Its first characters."),
  created_at: s.moment("When it was made."),
  expires_at: s.nullable(s.moment("When it ends. Null: never.")),
  last_used_at: s.nullable(s.moment("When it was last used, to within some minutes. Null: never.")),
};

/** Null: a command of the operator made it. */
const MAKER = s.nullable(CreatedBy, "Who made it, or keeps it. Null: a command of the operator made it.");

const Key = s.response("ApiKey", ApiKeySchema, { ...KEY, created_by: s.from("author", MAKER) });

const CreatedKey = s.response("CreatedApiKey", CreateApiKeyResponseSchema, {
  ...Object.fromEntries(Object.entries(KEY).map(([name, property]) => [name, s.from(`key.${name}`, property)])),
  created_by: s.from("key.author", MAKER),
  key: s.from(
    "secret",
    s.text(
      "The key itself, to be sent as `Authorization: Bearer hg_…`. It is shown only here, and for a day to who repeats the request with its Idempotency-Key.",
    ),
  ),
});

const KEY_EXAMPLE = {
  id: 3,
  name: "Dashboard",
  scopes: ["insights", "exports"],
  read_only: true,
  prefix: "hg_4TqZ9xWd",
  created_at: "2026-01-31T12:00:00.000Z",
  expires_at: null,
  last_used_at: "2026-01-31T12:05:00.000Z",
  created_by: CREATED_BY_EXAMPLE,
};

/** The API keys of the company. */
export function keyRoutes(auth: Clients["auth"]): Endpoint[] {
  const base = { tag: "Accounts", access: "any" } as const;
  const writeCreated = writerOf(CreatedKey);
  return [
    route(`GET ${KEYS}`, "listApiKeys", "List API keys", {
      ...base,
      ...aPage({
        desc: ListApiKeysRequestSchema,
        page: pageOf("ApiKeyPage", ListApiKeysResponseSchema, { keys: s.list(Key) }),
        get: (request, options) => auth.listApiKeys(request, options),
        example: { keys: [KEY_EXAMPLE], next_cursor: null },
      }),
      description: "For admins and members. Newest first.",
    }),
    route(`POST ${KEYS}`, "createApiKey", "Make an API key", {
      ...base,
      description:
        "For programs: it belongs to the company, has no password and ends when you say. Send it instead of an access token. " +
        "It opens only what its scopes name, and neither keys, users nor the audit log. It never may more than its maker may " +
        "now, and ends when they are made inactive or deleted.",
      input: messageOf(CreateApiKeyRequestSchema, { body: NewKey, isKeyed: true }),
      example: { name: "Dashboard", scopes: ["insights", "exports"], read_only: true, expires_at: null },
      answers: {
        201: created(
          "It is made.",
          json(CreatedKey, { ...KEY_EXAMPLE, last_used_at: null, key: "hg_4TqZ9xWd7cMnB2vKs8LpRf3hJt6GyQeA1uD0zX5B" }),
        ),
      },
      handle: async (context, request) => {
        const answer = await auth.createApiKey(request, context.options());
        const { id, replayed } = answer;
        return creationReply(201, writeCreated(answer), { replayed, location: `${KEYS}/${id}` });
      },
    }),
    route(`DELETE ${KEYS}/:id`, "deleteApiKey", "Delete an API key", {
      ...base,
      description: "It ends within seconds.",
      ...aDeletion((key, options) => auth.deleteApiKey(key, options)),
    }),
  ];
}

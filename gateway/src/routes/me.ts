import { ApiKeySchema } from "@hourglass/proto/auth/v1/api_key";
import {
  ChangePasswordRequestSchema,
  GetUserResponseSchema,
  RenewTokenResponseSchema,
} from "@hourglass/proto/auth/v1/auth_service";
import { ROLES, SCOPES } from "@hourglass/runtime";
import type { GatewaySettings } from "../config.js";
import { jsonReply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { json } from "./answers.js";
import { writerOf } from "./conversion.js";
import { messageOf } from "./input.js";
import * as s from "./schema.js";
import { Company } from "./sign-in.js";

/** Path of the caller's own account. */
const ME = "/api/v2/me";

export const Role = s.enumeration(
  "Role",
  ROLES,
  "`admin` manages the users of the company, `member` does everything else, `viewer` only reads.",
);

export const Scope = s.enumeration("KeyScope", SCOPES, "`operations` includes uploads.");

const KeyInUse = s.response("KeyInUse", ApiKeySchema, {
  id: s.recordId("Id of the API key."),
  name: s.text(),
  scopes: s.list(Scope),
  read_only: s.boolean(),
});

const Me = s.response("Me", GetUserResponseSchema, {
  id: s.from("user.id", s.nullable(s.recordId("Yours, or of the user who made the API key."))),
  email: s.from("user.email", s.nullable(s.text())),
  first_name: s.from("user.first_name", s.text()),
  last_name: s.from("user.last_name", s.text()),
  company: s.from("user.company", Company),
  role: s.from("user.role", Role),
  expires_at: s.nullable(s.moment("When the access token or the API key ends. Null: never.")),
  key: s.nullable(KeyInUse, "The API key that was sent; null with an access token."),
});

const EXAMPLE = {
  id: 1,
  email: "admin@example.com",
  first_name: "Ann",
  last_name: "Lee",
  company: {
    id: 1,
    name: "Example",
    products: [
      { uid: "api", active: true },
      { uid: "insight", active: true },
    ],
  },
  role: "admin",
  expires_at: "2026-02-01T12:00:00.000Z",
  key: null,
};

const NewPassword = s.request(
  ChangePasswordRequestSchema,
  {
    current_password: s.text(undefined, { format: "password" }),
    password: s.text("The new one.", { format: "password" }),
  },
  { id: "NewPassword" },
);

const Renewed = s.response("RenewedToken", RenewTokenResponseSchema, {
  expires_at: s.moment("When the new access token ends."),
});

/** The caller's own account: who they are, their session and their password. */
export function meRoutes(auth: Clients["auth"], settings: Required<GatewaySettings>): Endpoint[] {
  const base = { tag: "Accounts", access: "any" } as const;
  const [writeMe, writeRenewed] = [writerOf(Me), writerOf(Renewed)];
  return [
    route(`GET ${ME}`, "getMe", "Who you are", {
      ...base,
      description: "With an API key: the user who made it, with null for what is not known of them any more.",
      answers: { 200: { description: "You.", content: json(Me, EXAMPLE) } },
      handle: async (context) => jsonReply(200, writeMe(await auth.getUser({}, context.options()))),
    }),
    route(`POST ${ME}/renew`, "renewToken", "Renew the access token", {
      ...base,
      description:
        "Answers with another access token for the session in the response header `Authorization`, up to some days after " +
        "signing in (403 after that: sign in again). The one before stays good until its time is over.",
      answers: {
        200: {
          description: "Renewed.",
          content: json(Renewed, { expires_at: EXAMPLE.expires_at }),
          headers: { Authorization: { description: "`Bearer` and the access token.", schema: { type: "string" } } },
        },
      },
      handle: async (context) => {
        const renewed = await auth.renewToken({}, context.options());
        return jsonReply(200, writeRenewed(renewed), ["Authorization", `Bearer ${renewed.token}`]);
      },
    }),
    route(`PUT ${ME}/password`, "changePassword", "Change your password", {
      ...base,
      description: "Ends your other sessions. Attempts with a wrong password are limited as for signing in.",
      quota: { name: "sign-in", limit: settings.signInAttemptsPerMinute, windowSeconds: 60 },
      input: messageOf(ChangePasswordRequestSchema, { body: NewPassword }),
      example: { current_password: "the passphrase so far", password: "another long passphrase" },
      answers: { 204: { description: "It is changed." } },
      failures: [429],
      handle: async (context, request) => {
        const { clientAddress } = context.request;
        await auth.changePassword({ ...request, clientAddress }, context.options());
        return { status: 204 };
      },
    }),
  ];
}

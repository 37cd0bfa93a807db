import {
  CompanySchema,
  CredentialsSchema,
  ProductSchema,
  SignInRequestSchema,
  UserSchema,
} from "@hourglass/proto/auth/v1/auth_service";
import { AppError } from "@hourglass/runtime";
import * as z from "zod";
import type { GatewaySettings } from "../config.js";
import { jsonReply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { json } from "./answers.js";
import { writerOf } from "./conversion.js";
import { messageOf } from "./input.js";
import * as s from "./schema.js";

/** Credentials are short, and their sender is not authenticated yet. */
const SIGN_IN_BYTES_MAX = 65_536;

const Credentials = s.request(
  CredentialsSchema,
  {
    email: s.text("Compared without case and without blanks around it."),
    password: s.text(undefined, { format: "password" }),
    company: s.nullish(
      s.text("Name of your company. Needed only where users of several companies have this e-mail and password."),
    ),
  },
  { id: "Credentials", isOpen: true },
);

const SignIn = s.request(SignInRequestSchema, { user: Credentials }, { id: "SignIn", isOpen: true });

const Product = s.response("Product", ProductSchema, {
  uid: s.text("`api` (operations, upload) or `insight` (insights, exports)."),
  active: s.boolean("Whether the company can use it now."),
});

export const Company = s.response("Company", CompanySchema, {
  id: s.recordId("Id of the company."),
  name: s.text(),
  products: s.list(Product),
});

const User = s.response("User", UserSchema, {
  id: s.recordId("Id of the user."),
  email: s.text(),
  first_name: s.text(),
  last_name: s.text(),
  company: Company,
});

const Key = z
  .record(z.string(), z.unknown())
  .meta({ id: "Key", additionalProperties: true, description: "A public key as a JSON Web Key." });

const KeySet = s.object("KeySet", { keys: s.list(Key) }, "A JSON Web Key Set (RFC 7517).");

const USER_EXAMPLE = {
  id: 3,
  email: "ann@example.com",
  first_name: "Ann",
  last_name: "Lee",
  company: {
    id: 1,
    name: "Acme",
    products: [
      { uid: "api", active: true },
      { uid: "insight", active: true },
    ],
  },
};

const KEY_SET_EXAMPLE = {
  keys: [
    {
      kty: "EC",
      crv: "P-256",
      x: "I4D-JX8qGa1-4Vgk-HPGzr68xYfXQZZeMvGeTUjI8rU",
      y: "AzNzYL27YRGlbu6pZGFC9tBXpGpym9gonkYPXa7pjmQ",
      kid: "20260131120000000-38fe5970",
      alg: "ES256",
      use: "sig",
    },
  ],
};

const writeUser = writerOf(User);

/** Path of the session. */
const SIGN_IN = "/api/v1/users/sign_in";

/** Signing in and out, and the public keys that verify the issued tokens. */
export function signInRoutes(auth: Clients["auth"], settings: Required<GatewaySettings>): Endpoint[] {
  const base = { tag: "Signing in", access: "open" } as const;
  return [
    route(`POST ${SIGN_IN}`, "signIn", "Sign in", {
      ...base,
      description:
        "Answers with the user, and with an access token in the response header `Authorization`. Send that header with " +
        "every other request. Attempts are limited for each address, those with a wrong password more, and answers " +
        "come up to 4 s later after many wrong passwords for the same e-mail. 400 with the code `company_needed` where users " +
        "of several companies have the e-mail and the password: give `user.company` then.",
      bodyBytesMax: SIGN_IN_BYTES_MAX,
      quota: { name: "sign-in", limit: settings.signInAttemptsPerMinute, windowSeconds: 60 },
      input: messageOf(SignInRequestSchema, { body: SignIn }),
      example: { user: { email: "admin@example.com", password: "correct horse battery staple" } },
      answers: {
        200: {
          description: "You are signed in.",
          content: json(User, USER_EXAMPLE),
          headers: { Authorization: { description: "`Bearer` and the access token.", schema: { type: "string" } } },
        },
      },
      failures: [401, 429],
      handle: async (context, request) => {
        const { clientAddress } = context.request;
        const { user, token } = await auth.signIn({ ...request, clientAddress }, context.options());
        if (user === undefined) throw new AppError("internal", "The user could not be read. Try again later.");
        return jsonReply(200, writeUser(user), ["Authorization", `Bearer ${token}`]);
      },
    }),
    route(`DELETE ${SIGN_IN}`, "signOut", "Sign out", {
      tag: "Signing in",
      access: "any",
      description:
        "Ends the session of the access token: it is good for nothing any more, nor are those it was renewed to.",
      answers: { 204: { description: "You are signed out." } },
      handle: async (context) => {
        await auth.signOut({}, context.options());
        return { status: 204 };
      },
    }),
    route("GET /.well-known/jwks.json", "getSigningKeys", "Public keys", {
      ...base,
      description: "The keys that verify access tokens, as a JSON Web Key Set (RFC 7517).",
      answers: { 200: { description: "The keys.", content: json(KeySet, KEY_SET_EXAMPLE) } },
      handle: async (context) => {
        const { keys } = await auth.listKeys({}, context.options());
        return jsonReply(200, { keys: keys.map(({ jwkJson }) => JSON.parse(jwkJson) as unknown) });
      },
    }),
  ];
}

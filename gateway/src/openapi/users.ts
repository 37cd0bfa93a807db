import { CredentialsSchema } from "@hourglass/proto/auth/v1/auth_service";
import { limitsOf } from "./limits.js";
import { answer, json, type RouteDoc } from "./route.js";
import { array, boolean, object, recordId, ref, string, type Schema } from "./schema.js";

const TAG = "Signing in";

/** Schemas of users and keys. */
export const USER_SCHEMAS: Readonly<Record<string, Schema>> = {
  SignIn: object({ user: ref("Credentials") }),
  Credentials: object({
    email: string("Compared without case.", limitsOf(CredentialsSchema, "email")),
    password: string(undefined, { ...limitsOf(CredentialsSchema, "password"), format: "password" }),
  }),
  User: object({
    id: recordId("Id of the user."),
    email: string(),
    first_name: string(),
    last_name: string(),
    company: ref("Company"),
  }),
  Company: object({ id: recordId("Id of the company."), name: string(), products: array(ref("Product")) }),
  Product: object({
    uid: string("`api` (operations, upload) or `insight` (insights, exports)."),
    active: boolean("Whether the company can use it now."),
  }),
  KeySet: object({ keys: array(ref("Key")) }, { description: "A JSON Web Key Set (RFC 7517)." }),
  Key: { type: "object", additionalProperties: true, description: "A public key as a JSON Web Key." },
};

/** The routes of sign-in. */
export const USER_ROUTES: Readonly<Record<string, RouteDoc>> = {
  "POST /api/v1/users/sign_in": {
    id: "signIn",
    tag: TAG,
    summary: "Sign in",
    description:
      "Answers with the user, and with an access token in the response header `Authorization`. Send that header with " +
      "every other request. Attempts are limited for each address, and answers " +
      "come up to 4 s later after many wrong passwords for the same e-mail.",
    body: json(ref("SignIn"), { user: { email: "admin@example.com", password: "correct horse battery staple" } }),
    answers: {
      200: answer("You are signed in.", json(ref("User")), {
        Authorization: { description: "`Bearer` and the access token.", schema: string() },
      }),
    },
    failures: [401, 429],
  },
  "GET /.well-known/jwks.json": {
    id: "listKeys",
    tag: TAG,
    summary: "Public keys",
    description: "The keys that verify access tokens, as a JSON Web Key Set (RFC 7517).",
    answers: { 200: answer("The keys.", json(ref("KeySet"))) },
  },
};

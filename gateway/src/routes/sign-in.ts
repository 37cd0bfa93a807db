import type { MessageInitShape } from "@bufbuild/protobuf";
import { SignInRequestSchema, type User } from "@hourglass/proto/auth/v1/auth_service";
import { AppError } from "@hourglass/runtime";
import { object, ObjectReader, string, type Violations } from "@hourglass/runtime/json";
import type { GatewaySettings } from "../config.js";
import { jsonReply } from "../http/reply.js";
import type { Endpoint } from "../http/route.js";
import { accepted } from "../json/field-errors.js";
import type { Clients } from "../services.js";

/** Credentials are short, and their sender is not authenticated yet. */
const SIGN_IN_BYTES_MAX = 65_536;

/** Sign-in, and the public keys that verify the issued tokens. */
export function signInRoutes(auth: Clients["auth"], settings: Required<GatewaySettings>): Endpoint[] {
  return [
    {
      method: "POST",
      path: "/api/v1/users/sign_in",
      access: "open",
      body: "json",
      bodyBytesMax: SIGN_IN_BYTES_MAX,
      quota: { name: "sign-in", limit: settings.signInAttemptsPerMinute, windowSeconds: 60 },
      handle: async (context, body) => {
        const request = toSignInRequest(body, context.request.clientAddress);
        const { user, token } = await auth.signIn(request, context.options());
        if (user === undefined) throw new AppError("internal", "The user could not be read. Try again later.");
        return jsonReply(200, fromUser(user), ["Authorization", `Bearer ${token}`]);
      },
    },
    {
      method: "GET",
      path: "/.well-known/jwks.json",
      access: "open",
      handle: async (context) => {
        const { keys } = await auth.listKeys({}, context.options());
        return jsonReply(200, { keys: keys.map(({ jwkJson }) => JSON.parse(jwkJson) as unknown) });
      },
    },
  ];
}

const credentials = object((user) => ({
  email: user.required("email", string) ?? "",
  password: user.required("password", string) ?? "",
}));

/** Reads the request body of a sign-in. */
function toSignInRequest(
  body: Record<string, unknown>,
  clientAddress: string,
): MessageInitShape<typeof SignInRequestSchema> {
  const violations: Violations = [];
  const user = new ObjectReader(body, "", violations).required("user", credentials);
  return accepted(SignInRequestSchema, { ...(user === undefined ? {} : { user }), clientAddress }, violations);
}

/** The user object of the interface. */
function fromUser({ id, email, firstName, lastName, company }: User): unknown {
  return {
    id: Number(id),
    email,
    first_name: firstName,
    last_name: lastName,
    company: company && {
      id: Number(company.id),
      name: company.name,
      products: company.products.map(({ uid, active }) => ({ uid, active })),
    },
  };
}

import { AppError } from "@hourglass/runtime";
import type { Clients } from "../clients.js";
import type { Endpoint } from "../http/routing/endpoint.js";
import { jsonReply } from "../http/reply.js";
import type { GatewaySettings } from "../http/settings.js";
import { fromUser, toSignInRequest } from "../json/user.js";

/** Credentials are short, and their sender is not authenticated yet. */
const SIGN_IN_BYTES_MAX = 65_536;

/** Sign-in, and the public keys that verify the issued tokens. */
export function signInRoutes({ auth }: Pick<Clients, "auth">, settings: Required<GatewaySettings>): Endpoint[] {
  return [
    {
      method: "POST",
      path: "/api/v1/users/sign_in",
      access: "open",
      body: "json",
      bodyBytesMax: SIGN_IN_BYTES_MAX,
      quota: { name: "sign-in", limit: settings.signInAttemptsPerMinute, windowSeconds: 60 },
      handle: async (call, body) => {
        const request = toSignInRequest(body, call.exchange.clientAddress);
        const { user, token } = await auth.signIn(request, call.options());
        if (user === undefined) throw new AppError("internal", "The user could not be read. Try again later.");
        return jsonReply(200, fromUser(user), ["Authorization", `Bearer ${token}`]);
      },
    },
    {
      method: "GET",
      path: "/.well-known/jwks.json",
      access: "open",
      handle: async (call) => {
        const { keys } = await auth.listKeys({}, call.options());
        return jsonReply(200, { keys: keys.map(({ jwkJson }) => JSON.parse(jwkJson) as unknown) });
      },
    },
  ];
}

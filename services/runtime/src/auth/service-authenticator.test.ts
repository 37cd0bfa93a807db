import { create } from "@bufbuild/protobuf";
import { ListKeysResponseSchema } from "@hourglass/proto/auth/v1/auth_service";
import { describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log/logger.js";
import { createServiceAuthenticator } from "./service-authenticator.js";
import { createTokenAuthenticator } from "./token-authenticator.js";
import { NOW, publicJwk, SECONDS, SERVICE_CLAIMS, SERVICE_HEADER, signed } from "./testing/forgeries.js";
import { goodOfService, SERVICE_FORGERIES } from "./testing/service-forgeries.js";

/** A fake Auth service with the key that signs in these tests. */
function auth(failure?: AppError) {
  const keys = [{ id: "key-1", jwkJson: JSON.stringify({ ...publicJwk, alg: "ES256" }) }];
  return {
    listKeys: () =>
      failure === undefined ? Promise.resolve(create(ListKeysResponseSchema, { keys })) : Promise.reject(failure),
    getUser: () => Promise.reject(new Error("nobody asks for the user of a service's token")),
  };
}

const log = createLogger("silent");
const authenticate = createServiceAuthenticator({ auth: auth(), log, now: () => NOW });

describe("createServiceAuthenticator", () => {
  it("tells which service calls, and for which company", async () => {
    await expect(authenticate(goodOfService)).resolves.toEqual({ service: "operation", companyId: 3 });
  });

  it.each(SERVICE_FORGERIES)("refuses %s", async (_, token) => {
    await expect(authenticate(token)).rejects.toMatchObject({ kind: "unauthenticated", code: "unauthenticated" });
  });

  it("refuses a token when its few minutes are over", async () => {
    const expired = signed({ ...SERVICE_CLAIMS, iat: SECONDS - 300, exp: SECONDS - 6 }, SERVICE_HEADER);
    await expect(authenticate(expired)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("is unavailable while the keys cannot be read", async () => {
    const away = auth(new AppError("unavailable", "secret detail"));
    const call = createServiceAuthenticator({ auth: away, log, now: () => NOW })(goodOfService);
    await expect(call).rejects.toMatchObject({ kind: "unavailable", retryAfterMs: 1000 });
    await expect(call).rejects.not.toThrow("secret detail");
  });

  it("is the only one that takes such a token: none of a user's doors opens to it", async () => {
    const ofUsers = createTokenAuthenticator({ auth: auth(), log, now: () => NOW });
    await expect(ofUsers(goodOfService)).rejects.toMatchObject({ kind: "unauthenticated" });
  });
});

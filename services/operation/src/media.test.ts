import { AppError, type AuthenticatedContext, SERVICE_TOKEN_REFUSED, unauthenticated } from "@hourglass/runtime";
import { expect, it } from "vitest";
import { MediaCalls } from "./media.js";
import { FakeMedia } from "./testing/fakes.js";

const context: AuthenticatedContext = {
  requestId: "r-1",
  token: "token of a user",
  describeAct: () => Promise.resolve(),
  signal: new AbortController().signal,
  principal: { service: "", companyId: 3 },
};

/** Claims of a service whose Media accepts one kind of token, and the tokens that Media received. */
function subject(taken: string, call?: AppError) {
  const media = new FakeMedia();
  const seen: unknown[] = [];
  const refused = new AppError("unavailable", "away", { code: SERVICE_TOKEN_REFUSED });
  const calls = new MediaCalls(context, {
    client: {
      ...media.client,
      claimFiles: (request, options) => {
        seen.push(options?.token);
        return options?.token === taken ? media.client.claimFiles(request) : Promise.reject(unauthenticated());
      },
    },
    serviceTokens: {
      call: async (companyId, work) => {
        if (call !== undefined) throw call;
        return work(`token of the service for ${companyId}`).catch(() => Promise.reject(refused));
      },
    },
  });
  return { seen, media, claim: () => calls.claim(9, [1, 2]) };
}

it("claims with a token of the service, for the company of the caller", async () => {
  const { seen, media, claim } = subject("token of the service for 3");
  await claim();
  expect(seen).toEqual(["token of the service for 3"]);
  expect(media.claims.get(9n)).toEqual([1n, 2n]);
});

it("does not tell a caller to sign in again when Media refuses the service", async () => {
  const { seen, claim } = subject("token of a user");
  await expect(claim()).rejects.toMatchObject({ kind: "unavailable", code: "service_token_refused" });
  expect(seen).toEqual(["token of the service for 3"]);
});

it("sends the user's token nowhere while Auth is unavailable", async () => {
  const { seen, claim } = subject("token of a user", new AppError("unavailable", "away"));
  await expect(claim()).rejects.toMatchObject({ kind: "unavailable" });
  expect(seen).toEqual([]);
});

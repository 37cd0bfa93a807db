import { create } from "@bufbuild/protobuf";
import { IssueServiceTokenResponseSchema } from "@hourglass/proto/auth/v1/auth_service";
import { describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log.js";
import { ServiceTokens } from "./service-tokens.js";
import { unauthenticated } from "./tokens.js";

/** A service whose Auth and clock the test controls. */
function subject() {
  const world = { now: 0, issued: [] as string[], failure: undefined as AppError | undefined, insight: true };
  const tokens = new ServiceTokens({
    auth: {
      issueServiceToken: ({ service = "", companyId = 0n, secret = "" }) => {
        const token = `${service}/${companyId}/${secret}/${world.issued.length}`;
        world.issued.push(token);
        if (world.failure !== undefined) return Promise.reject(world.failure);
        const company = { products: [{ uid: "insight", active: world.insight }] };
        return Promise.resolve(create(IssueServiceTokenResponseSchema, { token, expiresInSeconds: 300, company }));
      },
    },
    service: "operation",
    secret: "s3cret",
    log: createLogger("silent"),
    now: () => world.now,
  });
  return { world, call: (companyId = 3) => tokens.call(companyId, (token) => Promise.resolve(token)), tokens };
}

const refuse = () => Promise.reject(unauthenticated());

describe("ServiceTokens", () => {
  it("asks for a token of each company once, until a minute before its end", async () => {
    const { world, call } = subject();
    expect(await Promise.all([call(3), call(3), call(4)])).toEqual([
      "operation/3/s3cret/0",
      "operation/3/s3cret/0",
      "operation/4/s3cret/1",
    ]);
    world.now = 239_999;
    expect(await call(3)).toBe("operation/3/s3cret/0");
    world.now = 240_000;
    expect(await call(3)).toBe("operation/3/s3cret/2");
  });

  it("knows of a product that is switched off, or of a company that is gone, within a second", async () => {
    const { world, call, tokens } = subject();
    await call(3);
    world.insight = false;
    world.now = 999;
    expect(await tokens.isActive(3, "insight")).toBe(true);
    world.now = 1000;
    expect(await Promise.all([tokens.isActive(3, "insight"), tokens.isActive(3, "insight")])).toEqual([false, false]);
    expect(world.issued).toHaveLength(2);
    Object.assign(world, { insight: true, now: 2000 });
    expect(await tokens.isActive(3, "insight")).toBe(true);
    Object.assign(world, { failure: new AppError("not-found", "There is no company with this id."), now: 3000 });
    expect(await tokens.isActive(3, "insight")).toBe(false);
    Object.assign(world, { failure: new AppError("unavailable", "away"), now: 4000 });
    await expect(tokens.isActive(3, "insight")).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("calls again with a new token when one is refused, since its key may be gone", async () => {
    const { world, tokens } = subject();
    const used: string[] = [];
    const answer = await tokens.call(3, (token) => {
      used.push(token);
      return used.length === 1 ? refuse() : Promise.resolve("done");
    });
    expect(answer).toBe("done");
    expect(used).toEqual(world.issued);
  });

  it("says apart that the callee takes no token of a service", async () => {
    const { world, tokens } = subject();
    await expect(tokens.call(3, refuse)).rejects.toMatchObject({ kind: "unavailable", code: "service_token_refused" });
    expect(world.issued).toHaveLength(2);
  });

  it.each(["unavailable", "deadline", "internal", "not-found", "unauthenticated"] as const)(
    "is unavailable when Auth answers %s, and asks again for the next call",
    async (kind) => {
      const { world, call } = subject();
      world.failure = new AppError(kind, "secret detail");
      await expect(call()).rejects.toMatchObject({ kind: "unavailable", code: "unavailable", retryAfterMs: 1000 });
      await expect(call()).rejects.not.toThrow("secret detail");
      world.failure = undefined;
      await expect(call()).resolves.toBe("operation/3/s3cret/2");
    },
  );

  it("passes on every other failure of the call as it is", async () => {
    const { tokens } = subject();
    const failure = AppError.invalid([{ field: "file_ids[0]", message: "is used" }]);
    await expect(tokens.call(3, () => Promise.reject(failure))).rejects.toBe(failure);
  });
});

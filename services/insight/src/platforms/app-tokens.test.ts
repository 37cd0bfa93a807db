import { beforeEach, describe, expect, it } from "vitest";
import { AppTokens } from "./app-tokens.js";

const HOUR = 3_600_000;

let time: number;
let renewals: number;
let tokens: AppTokens;
beforeEach(() => {
  [time, renewals] = [0, 0];
  const renew = () => Promise.resolve({ value: `token ${(renewals += 1)}`, expiresAt: time + HOUR });
  tokens = new AppTokens(renew, () => time);
});

describe("the token of an app", () => {
  it("is asked for once by all who need it at the same time, and kept", async () => {
    expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(["token 1", "token 1"]);
    expect(await tokens.get()).toBe("token 1");
  });

  it("is renewed a little before it expires", async () => {
    await tokens.get();
    time = HOUR - 60_000;
    expect(await tokens.get()).toBe("token 2");
  });

  it("is renewed once after it was rejected, however many requests it had failed", async () => {
    const value = await tokens.get();
    tokens.reject(value);
    expect(await tokens.get()).toBe("token 2");
    tokens.reject(value);
    expect(await tokens.get()).toBe("token 2");
  });

  it("is asked for again after a failure", async () => {
    let isDown = true;
    const failing = new AppTokens(
      async () => {
        if (isDown) throw new Error("down");
        return Promise.resolve({ value: "token", expiresAt: HOUR });
      },
      () => 0,
    );
    await expect(failing.get()).rejects.toThrow("down");
    isDown = false;
    expect(await failing.get()).toBe("token");
  });
});

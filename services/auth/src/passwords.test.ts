import { hash } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { generatePassword, PasswordHasher } from "./passwords.js";

describe("PasswordHasher", () => {
  it("accepts the password and no other", async () => {
    const hasher = new PasswordHasher();
    const encoded = await hasher.hash("correct horse");
    expect(encoded).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await expect(hasher.verify(encoded, "correct horse")).resolves.toBe(true);
    await expect(hasher.verify(encoded, "correct horsf")).resolves.toBe(false);
    expect(hasher.isOutdated(encoded)).toBe(false);
  });

  it("checks a decoy that argon2 accepts as a hash when there is no user", async () => {
    await expect(new PasswordHasher().verify(undefined, "anything")).resolves.toBe(false);
  });

  it("knows hashes made with other parameters", async () => {
    const hasher = new PasswordHasher();
    expect(hasher.isOutdated(await hash("x", { memoryCost: 4096, timeCost: 2, parallelism: 1 }))).toBe(true);
    expect(hasher.isOutdated(await hash("x", { memoryCost: 19_456, timeCost: 3, parallelism: 1 }))).toBe(true);
  });

  it("hashes two at a time and turns away what would wait too long", async () => {
    let running = 0;
    let most = 0;
    const release: (() => void)[] = [];
    const hasher = new PasswordHasher({
      hash: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => release.push(resolve));
        running -= 1;
        return "";
      },
      verify: () => Promise.resolve(false),
    });
    const outcomes = Array.from({ length: 70 }, () =>
      hasher.hash("x").then(
        () => "done",
        (error: unknown) => (error as { kind: string }).kind,
      ),
    );
    const settled = Promise.all(outcomes);
    const timer = setInterval(() => {
      for (const go of release.splice(0)) go();
    }, 1);
    const kinds = await settled;
    clearInterval(timer);
    expect(most).toBe(2);
    expect(kinds.filter((kind) => kind === "done")).toHaveLength(66);
    expect(kinds.filter((kind) => kind === "too-many")).toHaveLength(4);
  });

  it("does no work for a caller who has left the queue", async () => {
    let verified = 0;
    const release: (() => void)[] = [];
    const hasher = new PasswordHasher({
      hash: async () => {
        await new Promise<void>((resolve) => release.push(resolve));
        return "";
      },
      verify: () => {
        verified += 1;
        return Promise.resolve(true);
      },
    });
    const busy = [hasher.hash("x"), hasher.hash("x")];
    const caller = new AbortController();
    const waiting = hasher.verify("$argon2id$", "x", caller.signal);
    caller.abort(new Error("left"));
    await expect.poll(() => release.length).toBe(2);
    for (const go of release) go();
    await expect(waiting).rejects.toThrow("left");
    await Promise.all(busy);
    expect(verified).toBe(0);
  });
});

describe("generatePassword", () => {
  it("has at least 128 bits and no letters that look alike", () => {
    const password = generatePassword();
    expect(password).toMatch(/^[a-hjkmnp-z2-9]{5}(-[a-hjkmnp-z2-9]{5}){5}$/);
    expect(password.replaceAll("-", "").length * Math.log2(31)).toBeGreaterThan(128);
  });

  it("does not repeat", () => {
    expect(new Set(Array.from({ length: 1000 }, generatePassword)).size).toBe(1000);
  });
});

import { describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import type { Principal } from "../rpc/context.js";
import { cachePrincipals } from "./principal-cache.js";
import { unauthenticated } from "../tokens/token.js";

const somebody: Principal = {
  userId: 7,
  companyId: 3,
  companyName: "Acme",
  email: "a@example.com",
  firstName: "",
  lastName: "",
  products: [{ uid: "api", active: true }],
};

/** A cache whose questions and clock the test controls. */
function subject(answer: (token: string) => Promise<Principal> = () => Promise.resolve(somebody)) {
  const world = { now: 1_000_000, asked: [] as string[] };
  const authenticate = cachePrincipals(
    (token) => {
      world.asked.push(token);
      return answer(token);
    },
    () => world.now,
  );
  return { world, authenticate };
}

describe("cachePrincipals", () => {
  it("asks once a second per token", async () => {
    const { world, authenticate } = subject();
    await authenticate("a");
    world.now += 999;
    await expect(authenticate("a")).resolves.toBe(somebody);
    expect(world.asked).toEqual(["a"]);
    world.now += 1;
    await authenticate("a");
    expect(world.asked).toEqual(["a", "a"]);
  });

  it("asks once for callers that come together", async () => {
    const { world, authenticate } = subject();
    await Promise.all([authenticate("a"), authenticate("a"), authenticate("b")]);
    expect(world.asked).toEqual(["a", "b"]);
  });

  it("counts the second from the question, so that a slow answer does not prolong an old state", async () => {
    const slow = deferred<Principal>();
    const { world, authenticate } = subject(() => slow.promise);
    const first = authenticate("a");
    world.now += 1000;
    const second = authenticate("a");
    slow.resolve(somebody);
    await Promise.all([first, second]);
    expect(world.asked).toHaveLength(2);
  });

  it("remembers a refusal for a second", async () => {
    const { world, authenticate } = subject(() => Promise.reject(unauthenticated()));
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unauthenticated" });
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(world.asked).toHaveLength(1);
    world.now += 1000;
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(world.asked).toHaveLength(2);
  });

  it("does not remember that nobody could tell", async () => {
    const { world, authenticate } = subject(() => Promise.reject(new AppError("unavailable", "away")));
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unavailable" });
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unavailable" });
    expect(world.asked).toHaveLength(2);
  });

  it("refuses an empty token without asking", async () => {
    const { world, authenticate } = subject();
    await expect(authenticate("")).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(world.asked).toEqual([]);
  });

  it("asks again after the clock was set back", async () => {
    const { world, authenticate } = subject();
    await authenticate("a");
    world.now -= 3_600_000;
    await authenticate("a");
    expect(world.asked).toHaveLength(2);
  });

  it("keeps good tokens through a flood of bad ones", async () => {
    const { world, authenticate } = subject((token) =>
      token === "good" ? Promise.resolve(somebody) : Promise.reject(unauthenticated()),
    );
    await authenticate("good");
    for (let i = 0; i < 25_000; i += 1) await authenticate(`bad ${i}`).catch(() => undefined);
    world.asked.length = 0;
    await authenticate("good");
    expect(world.asked).toEqual([]);
  });
});

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

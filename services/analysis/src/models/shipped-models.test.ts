import { expect, it } from "vitest";
import { keepLoaded } from "./shipped-models.js";

it("loads once for all who ask, each key by itself", async () => {
  const begun: string[] = [];
  const get = keepLoaded((key: string) => {
    begun.push(key);
    return Promise.resolve({ key });
  });
  const [one, same, other] = await Promise.all([get("a"), get("a"), get("b")]);
  expect(one).toBe(same);
  expect(other).toEqual({ key: "b" });
  expect(begun).toEqual(["a", "b"]);
});

it("tries again after a failure", async () => {
  let calls = 0;
  const get = keepLoaded(() => (++calls === 1 ? Promise.reject(new Error("no luck")) : Promise.resolve(calls)));
  await expect(get("a")).rejects.toThrow("no luck");
  expect(await get("a")).toBe(2);
});

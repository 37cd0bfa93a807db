import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { WorkScope } from "./work-scope.js";

it("gives work its own value, whatever else runs meanwhile", async () => {
  const scope = new WorkScope<string>();
  const read = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    return scope.value;
  };
  const values = Promise.all([scope.run("a", () => read(3)), read(2), scope.run("b", () => read(1))]);
  expect(await values).toEqual(["a", undefined, "b"]);
  expect(scope.value).toBeUndefined();
});

it("gives inner work an inner value, and the rest of the outer work its own again", async () => {
  const scope = new WorkScope<string>();
  const seen = await scope.run("outer", async () => {
    const inner = await scope.run("inner", async () => {
      await sleep(1);
      return scope.value;
    });
    await nextTurn();
    return [inner, scope.value];
  });
  expect(seen).toEqual(["inner", "outer"]);
});

it("keeps the value of work that lasts longer than other work, and starts again after all has ended", async () => {
  const scope = new WorkScope<number>();
  for (const value of [1, 2]) {
    const long = scope.run(value, async () => {
      await sleep(5);
      return scope.value;
    });
    await scope.run(0, () => nextTurn());
    expect(await long).toBe(value);
  }
});

it("ends with work that fails", async () => {
  const scope = new WorkScope<number>();
  const failed = scope.run(1, () => Promise.reject(new Error("no luck")));
  await expect(failed).rejects.toThrow("no luck");
  expect(scope.value).toBeUndefined();
});

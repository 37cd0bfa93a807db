import { expect, it } from "vitest";
import { Dependencies } from "./readiness.js";

const there = () => Promise.resolve();
const away = () => Promise.reject(new Error("ECONNREFUSED 10.0.0.7"));

it("is not ready before the process has started, whatever else is there", async () => {
  const dependencies = new Dependencies();
  dependencies.need("store", there);
  expect(await dependencies.read()).toEqual({
    ready: false,
    dependencies: { process: { state: "starting" }, store: { state: "ready" } },
  });
  dependencies.setStarted();
  expect(await dependencies.read()).toEqual({ ready: true, dependencies: { store: { state: "ready" } } });
});

it("is not ready while something it needs is away, and does not say why", async () => {
  const dependencies = new Dependencies();
  dependencies.setStarted();
  dependencies.need("store", away);
  expect(await dependencies.read()).toEqual({ ready: false, dependencies: { store: { state: "away" } } });
});

it("tells which dependencies answer, whether they are needed or only wanted", async () => {
  const dependencies = new Dependencies();
  dependencies.need("store", there);
  dependencies.want("queue", away);
  dependencies.know(() => ({ "analysis:topic": { state: "missing" } }));
  expect([...(await dependencies.areUp())]).toEqual([
    ["store", true],
    ["queue", false],
  ]);
});

it("is ready without what it only wants, and says so", async () => {
  const dependencies = new Dependencies();
  dependencies.setStarted();
  dependencies.want("insight", away);
  dependencies.know(() => ({ "analysis:topic": { state: "missing" } }));
  expect(await dependencies.read()).toEqual({
    ready: true,
    dependencies: { insight: { state: "away" }, "analysis:topic": { state: "missing" } },
  });
});

import { expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log.js";
import { Dependencies, untilAvailable } from "./readiness.js";

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

it("is not ready while something it needs is unavailable, and does not say why", async () => {
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

const patience = (signal = new AbortController().signal) => ({
  what: "the database",
  log: createLogger("silent"),
  signal,
  firstPauseMs: 1,
});

it("tries again until what is unavailable is there", async () => {
  let tries = 0;
  const work = () => {
    tries += 1;
    return tries < 4 ? Promise.reject(new AppError("unavailable", "away")) : Promise.resolve("there");
  };
  expect(await untilAvailable(work, patience())).toBe("there");
  expect(tries).toBe(4);
});

it("does not try again what cannot mend itself", async () => {
  const work = () => Promise.reject(new AppError("invalid", "wrong password"));
  await expect(untilAvailable(work, patience())).rejects.toMatchObject({ kind: "invalid" });
});

it("stops waiting when the process stops", async () => {
  const stopping = new AbortController();
  const work = () => {
    stopping.abort(new Error("the process is stopping"));
    return Promise.reject(new AppError("unavailable", "away"));
  };
  await expect(untilAvailable(work, patience(stopping.signal))).rejects.toThrow("the process is stopping");
});

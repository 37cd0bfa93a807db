import { expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log/logger.js";
import { untilAvailable } from "./until-available.js";

const patience = (signal = new AbortController().signal) => ({
  what: "the database",
  log: createLogger("silent"),
  signal,
  firstPauseMs: 1,
});

it("tries again until what is away is there", async () => {
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

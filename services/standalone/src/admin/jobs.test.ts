import { expect, it } from "vitest";
import { UsageError, type Administration } from "./administration.js";
import { COMMANDS } from "./commands.js";

const unavailable = () => Promise.reject(new Error("nothing is opened for a command that is wrong"));
const nothing = { accounts: unavailable, queue: unavailable } as unknown as Administration;

const QUEUE_NAMES =
  /no queue "operation\.walk".*Give one of these: operation\.run, operation\.run\.large, operation\.run\.files, media\.release, export\.run\./;

it.each([
  ["jobs retry", {}, /either --id or --all true/],
  ["jobs drop", { id: "1", all: "true" }, /either --id or --all true/],
  ["jobs drop", { all: "yes" }, /Give --all true/],
  ["jobs drop", { id: "1", queue: "operation.run" }, /an id needs none/],
  ["jobs retry", { all: "true", queue: "operation.walk" }, QUEUE_NAMES],
  ["jobs dead", { queue: "operation.walk" }, QUEUE_NAMES],
  ["jobs dead", { limit: "0" }, /Give --limit a whole number from 1 to 10000\./],
  ["jobs dead", { limit: "1e3" }, /Give --limit/],
])("%s says how to use it when it is given %j", async (name, values, message) => {
  const run = COMMANDS[name]?.run(nothing, values);
  await expect(run).rejects.toThrow(UsageError);
  await expect(run).rejects.toThrow(message);
});

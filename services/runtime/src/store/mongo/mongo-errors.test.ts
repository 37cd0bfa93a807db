import { MongoServerError } from "mongodb";
import { expect, it } from "vitest";
import { isStoreFull } from "../store.js";
import { toMongoFailure } from "./mongo-errors.js";

it("takes what Node says of a broken socket for an outage, since the driver lets it through", () => {
  const broken = Object.assign(new Error("This socket has been ended by the other party"), { code: "EPIPE" });
  expect(toMongoFailure(broken)).toMatchObject({ kind: "unavailable", cause: broken });
});

it("does not hide a mistake of ours behind an outage", () => {
  const mistake = new TypeError("undefined is not a function");
  expect(toMongoFailure(mistake)).toBe(mistake);
});

it("tells a full disk from other outages", () => {
  const full = toMongoFailure(new MongoServerError({ message: "No space left", code: 14_031 }));
  expect(full).toMatchObject({ kind: "unavailable" });
  expect(isStoreFull(full)).toBe(true);
  expect(isStoreFull(toMongoFailure(new MongoServerError({ message: "not primary", code: 10_107 })))).toBe(false);
});

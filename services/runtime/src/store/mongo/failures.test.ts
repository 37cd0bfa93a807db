import { expect, it } from "vitest";
import { toMongoFailure } from "./failures.js";

it("takes what Node says of a broken socket for an outage, since the driver lets it through", () => {
  const broken = Object.assign(new Error("This socket has been ended by the other party"), { code: "EPIPE" });
  expect(toMongoFailure(broken)).toMatchObject({ kind: "unavailable", cause: broken });
});

it("does not hide a mistake of ours behind an outage", () => {
  const mistake = new TypeError("undefined is not a function");
  expect(toMongoFailure(mistake)).toBe(mistake);
});

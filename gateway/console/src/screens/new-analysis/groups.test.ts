import { expect, it } from "vitest";
import { groupsOfValues, readGroups } from "./groups.js";

it("reads numbers and ranges, a group a line", () => {
  expect(readGroups("1-3, 2\n\n 5 ", 5)).toEqual({ groups: ["0,1,2", "4"], faults: [] });
});

it("says which lines cannot be used, and why", () => {
  expect(readGroups("one\n1-9\n3-2\n1,,2", 5).faults).toEqual([
    { line: 1, text: "one", kind: "syntax" },
    { line: 2, text: "1-9", kind: "range" },
    { line: 3, text: "3-2", kind: "range" },
    { line: 4, text: "1,,2", kind: "syntax" },
  ]);
});

it("groups by equal values, and each without a value by itself", () => {
  expect(groupsOfValues(["ann", "bob", " ann", "", ""])).toEqual(["0,2", "1", "3", "4"]);
});

import { expect, test } from "vitest";
import "../testing/browser-globals.js";

const { readListView } = await import("./insight-list.js");

const NOTHING = { status: undefined, q: undefined, sort: undefined, cursor: undefined };

test("the list's part of an address is read", () => {
  const parameters = new URLSearchParams("status=paused&q=%20electric%20cars%20&sort=activity&cursor=abc");
  expect(readListView(parameters)).toEqual({ status: "paused", q: "electric cars", sort: "activity", cursor: "abc" });
});

test("what is not known has no effect", () => {
  expect(readListView(new URLSearchParams("status=asleep&sort=luck&q=%20&later=1"))).toEqual(NOTHING);
  expect(readListView(new URLSearchParams())).toEqual(NOTHING);
});

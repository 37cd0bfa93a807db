import { expect, it } from "vitest";
import { readAddresses } from "./addresses.js";

it("takes web addresses, a line each", () => {
  expect(readAddresses(" https://a.example/b.png\r\n\nhttp://c.example/d.gif").addresses).toEqual([
    "https://a.example/b.png",
    "http://c.example/d.gif",
  ]);
});

it("says what is wrong with the others", () => {
  const text = `www.example.com\nftp://a.example/b\njavascript:alert(1)\nhttps://a.example\nhttps://a.example\nhttps://${"a".repeat(2048)}`;
  expect(readAddresses(text).faults.map(({ line, kind }) => [line, kind])).toEqual([
    [1, "no-address"],
    [2, "scheme"],
    [3, "scheme"],
    [5, "repeated"],
    [6, "too-long"],
  ]);
});

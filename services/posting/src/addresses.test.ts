import { expect, it } from "vitest";
import { canonicalUrl } from "./addresses.js";

it.each([
  ["https://example.com/a", ["https://EXAMPLE.com/a", "https://example.com:443/a", "https://example.com/%61"]],
  ["https://example.com/a", ["https://example.com/a#", "https://example.com/a#top", "https://example.com/a#:~:text=x"]],
  ["https://example.com/", ["https://example.com", " https://example.com/ ", "https://example.com/b/.."]],
  ["http://example.com/%C3%A9?q=%2F", ["http://example.com:80/é?q=%2f", "http://example.com/%c3%a9?q=%2F"]],
  ["https://example.com/a#post-7", ["https://Example.com/a#post-7"]],
  ["no address", ["no address"]],
])("%s is one spelling of %j", (canonical, addresses) => {
  expect(addresses.map(canonicalUrl)).toEqual(addresses.map(() => canonical));
});

it.each([
  ["https://example.com/a", "https://example.com/A"],
  ["https://example.com/a", "https://example.com/a?b"],
  ["https://example.com/a/b", "https://example.com/a%2Fb"],
  ["https://example.com/a#post-1", "https://example.com/a#post-2"],
  ["http://example.com/", "https://example.com/"],
])("%s and %s are two", (one, other) => {
  expect(canonicalUrl(one)).not.toBe(canonicalUrl(other));
});

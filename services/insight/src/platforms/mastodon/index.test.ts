import { readConfig } from "@hourglass/runtime";
import { expect, it } from "vitest";
import { insightSettings } from "../../config.js";

const serversIn = (value: string) =>
  readConfig({ MASTODON_SERVERS: value }, { insight: insightSettings }).insight.platforms["MASTODON_SERVERS"];

it("takes hosts and URLs as servers, each once", () => {
  expect(serversIn("mastodon.social, https://Fosstodon.org/,http://127.0.0.1:8081,mastodon.social")).toEqual([
    "https://mastodon.social",
    "https://fosstodon.org",
    "http://127.0.0.1:8081",
  ]);
});

it.each(["mastodon.social/@ada", "https://ada:secret@mastodon.social", "a b", "mastodon.social,,"])(
  "refuses %s",
  (value) => {
    expect(() => serversIn(value)).toThrow(/MASTODON_SERVERS/);
  },
);

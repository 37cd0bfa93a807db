import { describe, expect, it } from "vitest";
import { isAllowedHost } from "./allowed-host.js";

const PATTERNS = ["media.example.com", "*.example.org"];

describe("a list of allowed hosts", () => {
  it.each(["media.example.com", "MEDIA.Example.com.", "a.example.org", "a.b.example.org"])("has %s", (host) => {
    expect(isAllowedHost(host, PATTERNS)).toBe(true);
  });

  it.each([
    "example.com",
    "a.media.example.com",
    "example.org",
    ".example.org",
    "badexample.org",
    "a.example.org.evil.net",
  ])("has not %s", (host) => {
    expect(isAllowedHost(host, PATTERNS)).toBe(false);
  });

  it("may be empty: then it has no host", () => {
    expect(isAllowedHost("example.com", [])).toBe(false);
  });
});

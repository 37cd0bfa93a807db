import { UpstreamServer } from "@hourglass/demo";
import { createHttpClient } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchJson, RedirectError, resetTimeOf, retryAfterOf } from "./http-json.js";

describe("a request for JSON", () => {
  let server: UpstreamServer;
  beforeEach(async () => {
    server = await UpstreamServer.start(() => ({ body: { ok: true } }));
  });
  afterEach(() => server.close());

  const ask = async (method: string) => {
    const http = createHttpClient({ trustedOrigins: [server.origin] });
    try {
      return await fetchJson(http, { url: `${server.origin}/token`, method, service: "The platform" });
    } finally {
      http.close();
    }
  };

  it.each(["GET", "POST"])("a %s that is redirected to a sign-in page says where to", async (method) => {
    server.failNext({ kind: "sign-in-page" });
    const error: unknown = await ask(method).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RedirectError);
    expect(error).toMatchObject({ kind: "auth", to: { pathname: "/sign-in" } });
  });

  it("an answer that is no redirect is given with its status", async () => {
    server.failNext({ kind: "status", status: 304 });
    expect(await ask("GET")).toMatchObject({ status: 304 });
    expect(await ask("POST")).toMatchObject({ status: 200, body: { ok: true } });
  });
});

const NOW = Date.UTC(2026, 10, 22, 12);
const at = (time: number): string => new Date(time).toUTCString();

describe("the time of a retry", () => {
  it.each([
    ["120", NOW + 120_000],
    [at(NOW + 60_000), NOW + 60_000],
    [at(NOW - 60_000), NOW],
    ["soon", undefined],
    ["", undefined],
  ])("that Retry-After states as '%s' is %s", (text, expected) => {
    expect(retryAfterOf({ headers: { "retry-after": text } }, NOW)).toBe(expected);
  });

  it("is read by the clock of the platform", () => {
    const ahead = NOW + 600_000;
    const headers = { date: at(ahead), "retry-after": at(ahead + 60_000), reset: String((ahead + 60_000) / 1000) };
    expect(retryAfterOf({ headers }, NOW)).toBe(NOW + 60_000);
    expect(resetTimeOf({ headers }, "reset", NOW)).toBe(NOW + 60_000);
  });

  it("is none without the header", () => {
    expect(resetTimeOf({ headers: {} }, "reset", NOW)).toBeUndefined();
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, type GatewayUnderTest } from "../testing/gateway-under-test.js";

const IDENTITY = { "accept-encoding": "identity" };

describe("the web console", () => {
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  const opens = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(gateway.url + path, { headers: { accept: "text/html,*/*;q=0.8", ...headers } });

  async function assetsOf(page: Response): Promise<string[]> {
    const html = await page.text();
    return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file ?? "");
  }

  it("is the page at / and at every address without a route, which a browser opens", async () => {
    const page = await opens("/");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    for (const path of ["/insights/7?from=2026-11-01&stauts=x", "/analyses/new", "/settings/keys", "/?from=abc"]) {
      const deep = await opens(path);
      expect([deep.status, await deep.text()], path).toEqual([200, html]);
    }
  });

  it("does not hide mistakes of programs", async () => {
    for (const path of ["/insights/7", "/api/v2/nothing", "/api/v2/nothing?a=b"]) {
      const accept = path.startsWith("/api/") ? "text/html" : "application/json";
      const answer = await opens(path, { accept });
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toMatchObject({ code: "route_not_found" });
    }
    expect((await fetch(`${gateway.url}/insights`, { method: "POST", headers: { accept: "text/html" } })).status).toBe(
      404,
    );
  });

  it("loads nothing and runs nothing that did not come with it", async () => {
    const page = await opens("/");
    const policy = page.headers.get("content-security-policy");
    expect(policy?.split(";").sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' blob: data:",
      "media-src 'self' blob:",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
      "trusted-types 'none'",
    ]);
    expect(await page.text()).not.toMatch(/<script>|<style|style=|onload=/);
  });

  it("is asked for again each time, and answered by 304 as long as it is the same", async () => {
    const page = await opens("/");
    const etag = page.headers.get("etag") ?? "";
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect((await opens("/insights", { "if-none-match": etag })).status).toBe(304);
    expect((await opens("/insights", { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("has assets that a browser keeps, compressed as it prefers", async () => {
    const files = await assetsOf(await opens("/"));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const plain = Number(
        (await fetch(gateway.url + file, { method: "HEAD", headers: IDENTITY })).headers.get("content-length"),
      );
      for (const coding of ["br", "gzip"]) {
        const answer = await fetch(gateway.url + file, { method: "HEAD", headers: { "accept-encoding": coding } });
        expect(answer.status, file).toBe(200);
        expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(answer.headers.get("vary")).toBe("Accept-Encoding");
        // The shortest files would get longer.
        expect(plain > 1_000 ? [coding] : [coding, null], file).toContain(answer.headers.get("content-encoding"));
        expect(Number(answer.headers.get("content-length"))).toBeLessThanOrEqual(plain);
      }
    }
  });

  it("has no other files", async () => {
    for (const name of ["index.html", "package.json", "..%2f..%2fpackage.json", "nothing.js", "console.js.br"]) {
      expect((await opens(`/assets/${name}`)).status, name).toBe(404);
    }
  });
});

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, type GatewayUnderTest } from "../testing/gateway-under-test.js";

const SCRIPT = "document.title = 'Start';";
const FILES: Readonly<Record<string, string>> = {
  "index.html": `<script id="first">${SCRIPT}</script><script src="/docs/assets/app.abc.js"></script>`,
  "platforms/x.html": "<p>X</p>",
  "404.html": "<p>Nothing</p>",
  "assets/app.abc.js": "1",
  "assets/app.abc.js.br": "compressed",
};

describe("the documentation", () => {
  let folder: string;
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hourglass-docs-"));
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    gateway = await startGateway({}, { documentation: pathToFileURL(`${folder}/`) });
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  const get = (address: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
    fetch(gateway.url + address, {
      method,
      headers: { "accept-encoding": "identity", ...headers },
      redirect: "manual",
    });

  it("is at /docs", async () => {
    const answer = await get("/docs");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "docs/"]);
    expect(await (await get("/docs/?utm_source=mail")).text()).toBe(FILES["index.html"]);
  });

  it("has pages without .html, in folders too", async () => {
    for (const address of ["/docs/platforms/x", "/docs/platforms/x.html"]) {
      const answer = await get(address);
      expect([answer.status, await answer.text()]).toEqual([200, FILES["platforms/x.html"]]);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
  });

  it("runs only the scripts that the build put into a page", async () => {
    const scripts = async (address: string): Promise<string | undefined> =>
      /script-src ([^;]+)/.exec((await get(address)).headers.get("content-security-policy") ?? "")?.[1];
    const hash = createHash("sha256").update(SCRIPT).digest("base64");
    expect(await scripts("/docs/")).toBe(`'self' 'sha256-${hash}'`);
    expect(await scripts("/docs/platforms/x")).toBe("'self'");
  });

  it("lets a browser keep assets, and asks it to look whether a page has changed", async () => {
    const asset = await get("/docs/assets/app.abc.js", { "accept-encoding": "br" }, "HEAD");
    expect([asset.status, asset.headers.get("content-encoding")]).toEqual([200, "br"]);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const page = await get("/docs/");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect((await get("/docs/", { "if-none-match": page.headers.get("etag") ?? "" })).status).toBe(304);
    expect((await get("/docs/", { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("has a page for people, and an error for programs, where it has nothing else", async () => {
    const page = await get("/docs/nothing", { accept: "text/html" });
    expect([page.status, await page.text()]).toEqual([404, FILES["404.html"]]);
    for (const address of [
      "/docs/nothing",
      "/docs/assets/app.abc.js.br",
      "/docs/..%2f..%2fpackage.json",
      "/docs/platforms",
    ]) {
      const answer = await get(address);
      expect([answer.status, await answer.json()], address).toMatchObject([404, { code: "not_found" }]);
    }
  });

  it("leaves /docs to the page to try the routes as long as it is not built", async () => {
    const unbuilt = await startGateway({}, { documentation: pathToFileURL(`${folder}/none/`) });
    for (const address of ["/docs", "/docs/"]) {
      const answer = await fetch(unbuilt.url + address);
      expect([answer.status, answer.url]).toEqual([200, `${unbuilt.url}/docs/api`]);
    }
    await unbuilt.stop();
  });
});

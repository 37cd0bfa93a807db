import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { drain, unreachableOf } from "./testing/fetching.js";
import { PUBLIC, TestInternet } from "./testing/test-internet.js";
import type { UrlFetcherOptions } from "./url-fetcher.js";

const SITE = "http://site.example/file";
let internet: TestInternet;

beforeEach(() => {
  internet = new TestInternet();
  internet.names.set("site.example", [[PUBLIC]]);
});

afterEach(() => internet.close());

async function read(url: string, options?: UrlFetcherOptions): Promise<Buffer> {
  return drain(await internet.fetcher(options).fetch(url));
}

describe("a connection", () => {
  it.each([
    ["a stated size", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"],
    ["pieces", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"],
  ])("that breaks off leaves no half file: %s", async (_name, text) => {
    await internet.rawSite(PUBLIC, (socket) => socket.end(text));
    const failure = await unreachableOf(read(SITE));
    expect(failure).toMatchObject({ permanent: false, message: "The connection to site.example failed or broke off." });
  });

  it("that is reset leaves no half file, though no size was stated", async () => {
    const sockets: Socket[] = [];
    await internet.rawSite(PUBLIC, (socket) => {
      sockets.push(socket);
      socket.write("HTTP/1.1 200 OK\r\n\r\nhalf");
    });
    const fetched = await internet.fetcher().fetch(SITE);
    const failure = await unreachableOf(drain(fetched, () => sockets[0]?.resetAndDestroy()));
    expect(failure.message).toContain("broke off");
  });

  it("that is reset before an answer may be tried again", async () => {
    await internet.rawSite(PUBLIC, (socket) => socket.resetAndDestroy());
    expect(await unreachableOf(read(SITE))).toMatchObject({ permanent: false });
  });

  it.each([
    ["another protocol", "220 mail.example ESMTP\r\n"],
    ["two sizes", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nfile"],
    [
      "a size and pieces",
      "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfile\r\n0\r\n\r\n",
    ],
    ["a head without end", `HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(20_000)}\r\n`],
    ["another protocol from now on", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"],
  ])("that does not speak HTTP is given up: %s", async (_name, text) => {
    await internet.rawSite(PUBLIC, (socket) => socket.end(text));
    expect(await unreachableOf(read(SITE))).toMatchObject({
      permanent: true,
      message: "site.example does not answer in HTTP.",
    });
  });

  it.each([
    [404, true],
    [403, true],
    [204, true],
    [206, true],
    [408, false],
    [429, false],
    [500, false],
    [503, false],
  ])("that answers %i gives no file; for good: %s", async (status, permanent) => {
    await internet.site(PUBLIC, (_request, response) => response.writeHead(status).end());
    const failure = await unreachableOf(internet.fetcher().fetch(SITE));
    expect(failure).toMatchObject({ permanent });
    expect(failure.message).toContain(`HTTP status ${status}`);
  });

  it("whose name cannot be looked up just now may be tried again", async () => {
    const resolve = (): Promise<never> => Promise.reject(Object.assign(new Error("later"), { code: "EAI_AGAIN" }));
    expect(await unreachableOf(read(SITE, { resolve }))).toMatchObject({ permanent: false });
  });
});

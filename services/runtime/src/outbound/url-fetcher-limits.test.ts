import { once } from "node:events";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { drain, dribble, unreachableOf } from "./testing/fetching.js";
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

describe("pace", () => {
  const pace = { bytes: 1000, everyMs: 100 };

  it("is demanded: a body byte by byte is given up for good, with what to do instead", async () => {
    await internet.site(PUBLIC, (_request, response) => dribble(response));
    const failure = await unreachableOf(read(SITE, { pace }));
    expect(failure).toMatchObject({ permanent: true, message: expect.stringMatching(/too slowly.*upload/) as string });
  });

  it("is demanded of what is left, after a good beginning", async () => {
    await internet.site(PUBLIC, (_request, response) => {
      response.write(Buffer.alloc(300_000));
      dribble(response);
    });
    expect((await unreachableOf(read(SITE, { pace }))).message).toMatch(/too slowly/);
  });

  it("does not count the time that the reader takes", async () => {
    await internet.site(PUBLIC, (_request, response) => response.end(Buffer.alloc(300_000)));
    const { bytes } = await internet.fetcher({ pace: { bytes: 1_000_000, everyMs: 500 } }).fetch(SITE);
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(size).toBe(300_000);
  });

  it("is not demanded of a file that ends in time", async () => {
    await internet.site(PUBLIC, (_request, response) => response.end("small"));
    expect(String(await read(SITE, { pace }))).toBe("small");
  });
});

describe("time", () => {
  const timeoutMs = 250;

  it.each<[string, (socket: Socket) => void]>([
    ["no answer", () => undefined],
    ["an answer's head byte by byte", (socket) => dribble(socket.write("HTTP/1.1 200 OK\r\nX: ") ? socket : socket)],
    ["a body byte by byte", (socket) => dribble(socket.write("HTTP/1.1 200 OK\r\n\r\n") ? socket : socket)],
    [
      "interim answers without end",
      (socket) => {
        const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 20);
        socket.on("close", () => clearInterval(timer));
      },
    ],
  ])("is limited: %s", async (_name, answer) => {
    await internet.rawSite(PUBLIC, answer);
    const failure = await unreachableOf(read(SITE, { timeoutMs }));
    expect(failure).toMatchObject({ permanent: false, message: "The file at site.example was not there within 1 s." });
  });

  it("is limited for a look-up that does not end", async () => {
    const failure = await unreachableOf(read(SITE, { timeoutMs, resolve: () => new Promise(() => undefined) }));
    expect(failure.message).toContain("was not there within");
  });

  it("is limited for all redirects together", async () => {
    await internet.site(PUBLIC, (request, response) => {
      setTimeout(() => response.writeHead(302, { Location: `${request.url ?? ""}a` }).end(), 120);
    });
    expect((await unreachableOf(read(SITE, { timeoutMs, redirectsMax: 20 }))).message).toContain(
      "was not there within",
    );
  });

  it("runs on while nobody reads", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    await internet.site(PUBLIC, (_request, response) => {
      closed = once(response, "close");
      response.write("begun");
    });
    const fetched = await internet.fetcher({ timeoutMs }).fetch(SITE);
    await closed;
    expect((await unreachableOf(drain(fetched))).message).toContain("was not there within");
  });

  it("ends when the caller wants no more: with the caller's reason, and without the connection", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const reason = new Error("stopped");
    const asking = new AbortController();
    await internet.site(PUBLIC, (_request, response) => {
      closed = once(response, "close");
      asking.abort(reason);
    });
    await expect(internet.fetcher().fetch(SITE, { signal: asking.signal })).rejects.toBe(reason);
    await closed;
    await expect(internet.fetcher().fetch(SITE, { signal: asking.signal })).rejects.toBe(reason);
  });
});

describe("size", () => {
  const bytesMax = 2_000_000;

  it("is limited by what the answer states, before anything is read", async () => {
    await internet.site(PUBLIC, (_request, response) => {
      response.writeHead(200, { "Content-Length": bytesMax + 1 });
      response.write("x");
    });
    const failure = await unreachableOf(internet.fetcher({ bytesMax }).fetch(SITE));
    expect(failure).toMatchObject({ permanent: true, message: "The file at site.example is larger than 2 MB." });
  });

  it("is limited where nothing is stated", async () => {
    await internet.site(PUBLIC, (_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more);
      more();
    });
    expect((await unreachableOf(read(SITE, { bytesMax }))).message).toContain("larger than 2 MB");
  });

  it("may be just the limit", async () => {
    await internet.site(PUBLIC, (_request, response) => response.end(Buffer.alloc(bytesMax)));
    expect((await read(SITE, { bytesMax })).length).toBe(bytesMax);
  });

  it("cannot be blown up: compressed answers are refused", async () => {
    await internet.site(PUBLIC, (_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(Buffer.alloc(bytesMax * 10)));
    });
    expect((await unreachableOf(internet.fetcher({ bytesMax }).fetch(SITE))).message).toContain("compressed");
  });
});

import { once } from "node:events";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { drain, dribble, unreachableOf, OTHER_PUBLIC, PUBLIC, TestInternet } from "./testing/test-internet.js";
import type { UrlFetcherOptions } from "./url-fetcher.js";

const SITE = "http://site.example/file";
let internet: TestInternet;

beforeEach(() => {
  internet = new TestInternet();
  internet.names.set("site.example", [[PUBLIC]]);
  internet.names.set("other.example", [[OTHER_PUBLIC]]);
});

afterEach(() => internet.close());

async function read(url: string, options?: UrlFetcherOptions): Promise<Buffer> {
  return drain(await internet.fetcher(options).fetch(url));
}

describe("a file", () => {
  it("arrives whole, with the address where it was found", async () => {
    await internet.site(PUBLIC, (_request, response) => response.end(Buffer.alloc(300_000, 7)));
    const fetched = await internet.fetcher().fetch(`${SITE}?size=big#top`);
    let size = 0;
    for await (const chunk of fetched.bytes) size += chunk.length;
    expect({ size, stated: fetched.sizeStated, url: fetched.url }).toEqual({
      size: 300_000,
      stated: 300_000,
      url: `${SITE}?size=big#top`,
    });
  });

  it("is asked for with few words: no cookies, no credentials, no referrer, no fragment", async () => {
    let seen: unknown;
    await internet.site(PUBLIC, ({ method, url, headers }, response) => {
      seen = { method, url, headers };
      response.end("file");
    });
    await read("http://SITE.example:8080/a%20b?c=d#e");
    expect(seen).toEqual({
      method: "GET",
      url: "/a%20b?c=d",
      headers: {
        host: "site.example:8080",
        "user-agent": "hourglass",
        accept: "*/*",
        "accept-encoding": "identity",
        connection: "close",
      },
    });
  });

  it("may come without a stated size, in pieces or until the connection ends", async () => {
    await internet.site(PUBLIC, (_request, response) => {
      response.write("fi");
      response.end("le");
    });
    await internet.rawSite(OTHER_PUBLIC, (socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nfile"));
    expect(String(await read(SITE))).toBe("file");
    expect(String(await read("http://other.example/"))).toBe("file");
  });

  it("lets its connection go when the reader stops early, or never begins", async () => {
    const closed: Promise<unknown>[] = [];
    await internet.site(PUBLIC, (_request, response) => {
      closed.push(once(response, "close"));
      dribble(response);
    });
    const fetcher = internet.fetcher();
    const begun = await fetcher.fetch(SITE);
    for await (const chunk of begun.bytes) if (chunk.length > 0) break;
    const untouched = await fetcher.fetch(SITE);
    untouched.close();
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });
});

describe("a URL", () => {
  it.each([
    "",
    "photo.jpg",
    "//site.example/a",
    "http://",
    "https://",
    "http:///",
    `http://site.example/${"a".repeat(2048)}`,
  ])("must be whole: %j", async (url) => {
    expect(await unreachableOf(internet.fetcher().fetch(url))).toMatchObject({ permanent: true });
  });

  it.each(["ftp://site.example/a", "file:///etc/hosts", "javascript:alert(1)", "unix:/run/a.sock"])(
    "must be of the web: %s",
    async (url) => {
      await unreachableOf(internet.fetcher().fetch(url));
    },
  );

  it("must not hold credentials, which the message does not repeat", async () => {
    const failure = await unreachableOf(internet.fetcher().fetch("http://user:hunter2@site.example/"));
    expect(failure.message).toContain("user name or password");
    expect(failure.message).not.toContain("hunter2");
  });

  it("must name an allowed host when there is a list of them", async () => {
    await internet.site(PUBLIC, (_request, response) => response.end("file"));
    const allowedHosts = ["*.example"];
    expect(String(await read(SITE, { allowedHosts }))).toBe("file");
    await unreachableOf(read("http://93.184.216.34/", { allowedHosts }));
  });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("is followed, status %i", async (status) => {
    await internet.site(PUBLIC, (_request, response) => {
      response.writeHead(status, { Location: "//other.example/moved" }).end("elsewhere");
    });
    await internet.site(OTHER_PUBLIC, (request, response) => response.end(request.url));
    const fetched = await internet.fetcher().fetch(SITE);
    fetched.close();
    expect(fetched.url).toBe("http://other.example/moved");
  });

  it("is followed three times, not four", async () => {
    await internet.site(PUBLIC, (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("file");
      else response.writeHead(302, { Location: `/${left - 1}` }).end();
    });
    expect(String(await read("http://site.example/3"))).toBe("file");
    const failure = await unreachableOf(read("http://site.example/4"));
    expect(failure.message).toBe("site.example redirects more than 3 times.");
  });

  it("must stay among the allowed hosts", async () => {
    await internet.site(PUBLIC, (_request, response) => {
      response.writeHead(302, { Location: "http://other.example/" }).end();
    });
    const failure = await unreachableOf(read(SITE, { allowedHosts: ["site.example"] }));
    expect(failure.message).toContain("A redirect of site.example is not among the hosts");
  });

  it("without a place to go is an answer like any other", async () => {
    await internet.site(PUBLIC, (_request, response) => response.writeHead(302).end());
    expect((await unreachableOf(read(SITE))).message).toContain("HTTP status 302");
  });

  it("need not be read to its end", async () => {
    await internet.site(PUBLIC, (request, response) => {
      if (request.url === "/end") return void response.end("file");
      response.writeHead(302, { Location: "/end" });
      dribble(response);
    });
    expect(String(await read(SITE))).toBe("file");
  });
});

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

import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { drain, dribble, unreachableOf } from "./testing/fetching.js";
import { OTHER_PUBLIC, PUBLIC, TestInternet } from "./testing/test-internet.js";
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

import { once } from "node:events";
import http, { type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createHttpClient, type HttpClient, type HttpClientOptions } from "./http-client.js";
import { HttpFailure, type HttpFailureKind } from "./http-attempt.js";
import { OTHER_PUBLIC, PUBLIC, TestInternet } from "./testing/test-internet.js";

const SITE = "http://site.example/feed";
let internet: TestInternet;

beforeEach(() => {
  internet = new TestInternet();
  internet.names.set("site.example", [[PUBLIC]]);
  internet.names.set("other.example", [[OTHER_PUBLIC]]);
  internet.names.set("private.example", [["10.1.2.3"]]);
});

afterEach(() => internet.close());

function client(options?: HttpClientOptions): HttpClient {
  const opened = internet.client(options);
  onTestFinished(() => opened.close());
  return opened;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return String(Buffer.concat(chunks));
}

async function expectFailure(kind: HttpFailureKind, work: Promise<unknown>): Promise<void> {
  const error: unknown = await work.then(
    () => "no failure",
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HttpFailure);
  expect(error).toMatchObject({ kind });
}

describe("a request", () => {
  it("carries method, headers and body, and its answer status, headers and body", async () => {
    let seen: unknown;
    await internet.site(PUBLIC, (request, response) => {
      void textOf(request).then((body) => {
        const { authorization, "content-type": type } = request.headers;
        seen = { method: request.method, url: request.url, authorization, type, body };
        response.writeHead(429, { "Retry-After": "7", "X-Rate-Limit-Reset": "1700000000" }).end("slow down");
      });
    });
    const answer = await client().request("http://site.example/a?b=c", {
      method: "POST",
      headers: { Authorization: "Bearer key", "Content-Type": "text/plain" },
      body: "é",
    });
    expect(seen).toEqual({ method: "POST", url: "/a?b=c", authorization: "Bearer key", type: "text/plain", body: "é" });
    expect(answer.status).toBe(429);
    expect(answer.headers).toMatchObject({ "retry-after": "7", "x-rate-limit-reset": "1700000000" });
    expect(await answer.text()).toBe("slow down");
  });

  it("sends validators as they were given, and answers 304 without a body", async () => {
    await internet.site(PUBLIC, (request, response) => {
      const fits = request.headers["if-none-match"] === 'W/"odd tag"';
      response.writeHead(fits ? 304 : 200, { ETag: 'W/"odd tag"', "Content-Encoding": "gzip" }).end();
    });
    const answer = await client().request(SITE, { headers: { "If-None-Match": 'W/"odd tag"' } });
    expect(answer.status).toBe(304);
    expect(await answer.bytes()).toHaveLength(0);
  });

  it("is answered by the redirect itself where its method is not GET or HEAD", async () => {
    await internet.site(PUBLIC, (_request, response) => response.writeHead(302, { Location: "/elsewhere" }).end());
    const answer = await client().request(SITE, { method: "POST", body: "x" });
    expect([answer.status, answer.headers.location]).toEqual([302, "/elsewhere"]);
    answer.close();
  });

  it("gives its credentials to no other origin that a redirect names", async () => {
    const seen: unknown[] = [];
    const note: RequestListener = ({ headers }) =>
      seen.push([headers.authorization, headers["x-api-key"], headers.accept]);
    await internet.site(PUBLIC, (request, response) => {
      note(request, response);
      const Location = request.url === "/feed" ? "/second" : "http://other.example/third";
      response.writeHead(302, { Location }).end();
    });
    await internet.site(OTHER_PUBLIC, (request, response) => {
      note(request, response);
      response.end("feed");
    });
    const headers = { Authorization: "Bearer key", "X-Api-Key": "key", Accept: "text/xml" };
    expect(await (await client().request(SITE, { headers })).text()).toBe("feed");
    const own = ["Bearer key", "key", "text/xml"];
    expect(seen).toEqual([own, own, [undefined, undefined, "text/xml"]]);
  });
});

describe("the permanent URL of an answer", () => {
  it.each([
    ["where permanent redirects lead", [301, 308], "/2"],
    ["before the first temporary redirect", [301, 302, 301], "/1"],
    ["the URL itself without redirects", [], "/0"],
  ])("is %s", async (_name, statuses, path) => {
    await internet.site(PUBLIC, (request, response) => {
      const hop = Number(request.url?.slice(1));
      const status = statuses[hop];
      if (status === undefined) response.end("feed");
      else response.writeHead(status, { Location: `/${hop + 1}` }).end();
    });
    const answer = await client().request("http://site.example/0");
    answer.close();
    expect(answer.permanentUrl).toBe(`http://site.example${path}`);
  });
});

describe("a packed body", () => {
  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("is unpacked: %s", async (encoding, pack) => {
    await internet.site(PUBLIC, (request, response) => {
      expect(request.headers["accept-encoding"]).toBe("gzip, br");
      response.writeHead(200, { "Content-Encoding": encoding }).end(pack("feed".repeat(10_000)));
    });
    expect(await (await client().request(SITE)).text()).toBe("feed".repeat(10_000));
  });

  it("is bounded by its size after unpacking", async () => {
    await internet.site(PUBLIC, (_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(Buffer.alloc(5_000_000)));
    });
    const answer = await client({ bytesMax: 1_000_000 }).request(SITE);
    await expectFailure("too-large", answer.bytes());
  });

  it.each([
    ["garbage", Buffer.from("no gzip at all")],
    ["half of it", gzipSync("feed".repeat(1000)).subarray(0, 30)],
  ])("that cannot be unpacked is a bad encoding: %s", async (_name, body) => {
    await internet.site(PUBLIC, (_request, response) =>
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(body),
    );
    const answer = await client().request(SITE);
    await expectFailure("bad-encoding", answer.text());
  });

  it.each(["utf-8", "none", "aws-chunked", "identity"])("is as it is if its coding is none: %s", async (encoding) => {
    await internet.site(PUBLIC, (_request, response) =>
      response.writeHead(200, { "Content-Encoding": encoding }).end("feed"),
    );
    expect(await (await client({ compressed: false }).request(SITE)).text()).toBe("feed");
  });

  it("in several codings is unpacked from the outermost on", async () => {
    await internet.site(PUBLIC, (_request, response) =>
      response.writeHead(200, { "Content-Encoding": "gzip, utf-8, br" }).end(brotliCompressSync(gzipSync("feed"))),
    );
    expect(await (await client().request(SITE)).text()).toBe("feed");
  });

  it("in an encoding that was not asked for is refused", async () => {
    await internet.site(PUBLIC, (_request, response) =>
      response.writeHead(200, { "Content-Encoding": "zstd" }).end("x"),
    );
    await expectFailure("bad-encoding", client().request(SITE));
  });
});

describe("connections", () => {
  it("are kept for further requests", async () => {
    const ports = new Set<number | undefined>();
    await internet.site(PUBLIC, (request, response) => {
      ports.add(request.socket.remotePort);
      response.end("feed");
    });
    const asking = client();
    for (const _turn of [1, 2, 3]) await (await asking.request(SITE)).text();
    expect(ports.size).toBe(1);
  });

  it("that the server has closed are opened again", async () => {
    const sockets: Socket[] = [];
    await internet.rawSite(PUBLIC, (socket) => {
      sockets.push(socket);
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfeed");
      // The next request meets a reset connection.
      socket.once("data", () => socket.resetAndDestroy());
    });
    const asking = client();
    expect(await (await asking.request(SITE)).text()).toBe("feed");
    expect(await (await asking.request(SITE)).text()).toBe("feed");
    expect(sockets).toHaveLength(2);
  });

  it("are two to a host at a time", async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const server = http.createServer((_request, response) => {
      open += 1;
      most = Math.max(most, open);
      waiting.push(() => {
        open -= 1;
        response.end("feed");
      });
    });
    // Opened by node itself: the agent counts connections that it opens at once.
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const asking = createHttpClient({ allowPrivateUrls: true });
    onTestFinished(() => asking.close());
    const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
    const answers = [1, 2, 3, 4, 5].map(async () => (await asking.request(url)).text());
    for (const _answer of answers) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
    }
    expect(await Promise.all(answers)).toHaveLength(5);
    expect(most).toBe(2);
  });

  it("are given up at the deadline, also by a request that waits for one", async () => {
    await internet.site(PUBLIC, () => undefined);
    const asking = client({ timeoutMs: 300 });
    const requests = [1, 2, 3].map(() => expectFailure("deadline", asking.request(SITE)));
    await Promise.all(requests);
  });

  it("are asked at the pace of their host, and other hosts meanwhile", async () => {
    const times: number[] = [];
    await internet.site(PUBLIC, (_request, response) => {
      times.push(performance.now());
      response.end("feed");
    });
    await internet.site(OTHER_PUBLIC, (_request, response) => response.end("other"));
    const asking = client({ gapMs: 400 });
    const ask = async (url: string): Promise<string> => (await asking.request(url)).text();
    const later = [ask(SITE), ask(SITE), ask(SITE)];
    expect(await ask("http://other.example/")).toBe("other");
    await Promise.all(later);
    expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(500);
  });
});

describe("an address", () => {
  it("of the private network is refused, unless the operator has set its origin", async () => {
    await internet.site("10.1.2.3", (_request, response) => response.end("proxy"));
    await expectFailure("unknown-host", client().request("http://private.example/"));
    const trusting = client({ trustedOrigins: ["http://private.example"], allowedHosts: ["site.example"] });
    expect(await (await trusting.request("http://private.example/")).text()).toBe("proxy");
    await expectFailure("refused", trusting.request("http://private.example:8080/"));
  });

  it("that an origin of the operator redirects to is checked like any other", async () => {
    await internet.site("10.1.2.3", (_request, response) => {
      response.writeHead(302, { Location: "http://169.254.169.254/" }).end();
    });
    const trusting = client({ trustedOrigins: ["http://private.example"] });
    await expectFailure("unknown-host", trusting.request("http://private.example/"));
    expect(internet.canaryHits).toEqual([]);
  });

  it("fails by kind: no public address, or nothing answers there", async () => {
    await expectFailure("unknown-host", client().request("http://nobody.example/"));
    await internet.rawSite(PUBLIC, (socket) => socket.resetAndDestroy());
    await expectFailure("unreachable", client().request(SITE));
    await internet.rawSite(OTHER_PUBLIC, (socket) => socket.end("220 mail\r\n"));
    await expectFailure("not-http", client().request("http://other.example/"));
  });
});

it("stops with the caller's reason, and lets the connection go", async () => {
  let closed: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();
  const reason = new Error("stopped");
  await internet.site(PUBLIC, (_request, response) => {
    closed = once(response, "close");
    response.write("begun");
  });
  const answer = await client().request(SITE, { signal: stopping.signal });
  stopping.abort(reason);
  await expect(answer.text()).rejects.toBe(reason);
  await closed;
});

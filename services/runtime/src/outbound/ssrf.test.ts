import http from "node:http";
import { isIP, type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { HttpFailure } from "./http-attempt.js";
import { isPublicAddress, isAllowedHost } from "./ssrf.js";
import { OTHER_PUBLIC, PUBLIC, TestInternet } from "./testing/test-internet.js";
import { UnreachableUrlError, createUrlFetcher, type UrlFetcher } from "./url-fetcher.js";

const PRIVATE = ["127.0.0.1", "10.0.0.1", "172.16.5.4", "192.168.1.1", "169.254.169.254", "100.100.100.200", "0.0.0.0"];

/** Hosts of URLs that some programs resolve to this machine or its network. */
const HOSTS = [
  ...PRIVATE.flatMap(spellingsOf),
  ...[
    "127.1",
    "127.0.1",
    "0",
    "0x0",
    "00",
    "0.0",
    "127.127.127.127",
    "255.255.255.255",
    "224.0.0.251",
    "168.63.129.16",
  ],
  ...["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::1%25lo]", "[::1%lo]"],
  ...["[fe80::1]", "[fe80::1%25eth0]", "[fc00::1]", "[fd00:ec2::254]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]"],
  ...[
    "localhost",
    "LOCALHOST",
    "localhost.",
    "LocalHost.localdomain",
    "ｌｏｃａｌｈｏｓｔ",
    "lo%63alhost",
    "ⓛocalhost",
  ],
  ...["foo.localhost", "metadata.google.internal", "127.0.0.1.nip.example", "①②⑦.0.0.①", "xn--localhost-", "0x7f.1"],
  ...["localhost%00.public.example", "127.0.0.1%23.public.example", "127.0.0.1\\.public.example", "a:b@localhost"],
];

async function failureOf(fetcher: UrlFetcher, url: string): Promise<unknown> {
  return fetcher.fetch(url).then(
    (fetched) => {
      fetched.close();
      return "fetched";
    },
    (error: unknown) => error,
  );
}

describe("with a canary on this machine", () => {
  let hits = 0;
  const canary = http.createServer((_request, response) => {
    hits += 1;
    response.end("secret");
  });
  let port = 0;

  beforeAll(async () => {
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
    port = (canary.address() as AddressInfo).port;
  });

  afterAll(() => new Promise((resolve) => canary.close(resolve)));

  it("refuses every form of a private address, and nothing connects", async () => {
    // Every name resolves to this machine, as with a hostile resolver.
    const fetcher = createUrlFetcher({ resolve: async () => [{ address: "127.0.0.1", family: 4 }], timeoutMs: 3000 });
    const forms = HOSTS.flatMap((host) => [`http://${host}:${port}/`, `HTTPS:\\\\${host}:${port}\\`]);
    const failures = await Promise.all(forms.map((form) => failureOf(fetcher, form)));
    const wrong = forms.filter((_, index) => !(failures[index] instanceof UnreachableUrlError));
    expect({ wrong, hits, enough: HOSTS.length >= 120 }).toEqual({ wrong: [], hits: 0, enough: true });
  });

  it("asks the resolver of the system where none is given", async () => {
    expect(await failureOf(createUrlFetcher(), `http://localhost:${port}/`)).toBeInstanceOf(UnreachableUrlError);
    expect(hits).toBe(0);
  });

  it("fetches from it when private addresses are allowed", async () => {
    const fetcher = createUrlFetcher({ allowPrivateUrls: true });
    const fetched = await fetcher.fetch(`http://localhost:${port}/`);
    fetched.close();
    expect(hits).toBe(1);
  });
});

describe("on a simulated internet", () => {
  let internet: TestInternet;

  beforeEach(() => {
    internet = new TestInternet();
  });

  afterEach(() => internet.close());

  it("refuses each private address that a name leads to", async () => {
    const addresses = [...PRIVATE, "::1", "fd00::1", "fe80::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:a00:1::"];
    for (const [index, address] of addresses.entries()) internet.names.set(`n${index}.example`, [[address]]);
    const fetcher = internet.fetcher();
    const failures = await Promise.all(addresses.map((_, index) => failureOf(fetcher, `http://n${index}.example/`)));
    expect(failures.filter((failure) => !(failure instanceof UnreachableUrlError))).toEqual([]);
    expect(internet.canaryHits).toEqual([]);
  });

  it("refuses a name of several addresses when one of them is private", async () => {
    await internet.site(PUBLIC, (_request, response) => response.end("file"));
    internet.names.set("two.example", [[PUBLIC, "192.168.1.1"]]);
    await expect(internet.fetcher().fetch("http://two.example/")).rejects.toThrow("no address on the public internet");
  });

  it("refuses a name without addresses, and answers that are none", async () => {
    internet.names.set("none.example", [[]]);
    internet.names.set("odd.example", [["fe80::1%lo"]]);
    for (const host of ["none.example", "odd.example"]) {
      await expect(internet.fetcher().fetch(`http://${host}/`)).rejects.toBeInstanceOf(UnreachableUrlError);
    }
  });

  it("connects to the address that it has checked, though the next look-up would give another", async () => {
    await internet.site(PUBLIC, (_request, response) => response.end("file"));
    internet.names.set("rebinding.example", [[PUBLIC], ["127.0.0.1"]]);
    const fetcher = internet.fetcher();
    const fetched = await fetcher.fetch("http://rebinding.example/");
    fetched.close();
    expect(await failureOf(fetcher, "http://rebinding.example/")).toBeInstanceOf(UnreachableUrlError);
    expect(internet.canaryHits).toEqual([]);
  });

  it("looks a name up again for a redirect to itself, and refuses what it has become", async () => {
    await internet.site(PUBLIC, (_request, response) => response.writeHead(302, { Location: "/again" }).end());
    internet.names.set("rebinding.example", [[PUBLIC], ["10.0.0.1"]]);
    const failure = await failureOf(internet.fetcher(), "http://rebinding.example/");
    expect(String(failure)).toContain("A redirect of rebinding.example has no address on the public internet");
    expect(internet.canaryHits).toEqual([]);
  });

  it.each(PRIVATE.slice(0, 2).flatMap(spellingsOf))("refuses a redirect to %s", async (host) => {
    await internet.site(PUBLIC, (_request, response) => {
      response.writeHead(301, { Location: Buffer.from(`http://${host}/`).toString("latin1") }).end();
    });
    internet.names.set("site.example", [[PUBLIC]]);
    const failure = await failureOf(internet.fetcher(), "http://site.example/");
    expect(failure).toBeInstanceOf(UnreachableUrlError);
    expect(internet.canaryHits).toEqual([]);
  });

  it.each(["file:///etc/passwd", "gopher://site.example/", "data:image/png;base64,AA==", "ftp://site.example/a"])(
    "refuses a redirect to %s",
    async (target) => {
      await internet.site(PUBLIC, (_request, response) => response.writeHead(307, { Location: target }).end());
      internet.names.set("site.example", [[PUBLIC]]);
      expect(await failureOf(internet.fetcher(), "http://site.example/")).toBeInstanceOf(UnreachableUrlError);
    },
  );

  it("does not tell a name of the private network from one that nobody has", async () => {
    internet.names.set("a.corp", [["10.1.2.3"]]);
    internet.names.set("b.corp", [[]]);
    const failures = ["a.corp", "b.corp", "absent.corp", "10.1.2.3", "[fd00::1]"].map(async (host) => {
      const { message, permanent, cause } = (await failureOf(
        internet.fetcher(),
        `http://${host}/`,
      )) as UnreachableUrlError;
      return { message: message.replace(host, "HOST"), permanent, kind: (cause as HttpFailure).kind };
    });
    const [hidden, ...others] = await Promise.all(failures);
    for (const other of others) expect(other).toEqual(hidden);
    expect(hidden?.message).toMatch(/^HOST has no address on the public internet\. /);
  });

  it("does not tell where a redirect leads", async () => {
    await internet.site(PUBLIC, (_request, response) => {
      response.writeHead(302, { Location: "http://db-1.corp.internal:5432/admin" }).end();
    });
    internet.names.set("site.example", [[PUBLIC]]);
    expect(String(await failureOf(internet.fetcher(), "http://site.example/"))).not.toMatch(/db-1|5432|admin/);
  });

  it("fetches over IPv6", async () => {
    await internet.site(OTHER_PUBLIC, (_request, response) => response.end("file"));
    const fetched = await internet.fetcher().fetch(`http://[${OTHER_PUBLIC}]/`);
    fetched.close();
    expect(isIP(OTHER_PUBLIC)).toBe(6);
    expect(internet.canaryHits).toEqual([]);
  });
});

/** Spellings of an IPv4 address as URL host that some programs are known to parse as that address. */
function spellingsOf(address: string): string[] {
  const bytes = address.split(".").map(Number) as [number, number, number, number];
  const [a, b, c, d] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = whole.toString(16).padStart(8, "0");
  const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`;
  const octal = bytes.map((byte) => `0${byte.toString(8)}`);
  return [
    address,
    `${address}.`,
    `${address}..`,
    String(whole),
    `0x${hex}`,
    `0X${hex.toUpperCase()}`,
    `0${whole.toString(8)}`,
    octal.join("."),
    bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
    `${a}.${String((b * 256 + c) * 256 + d)}`,
    `${a}.${b}.${String(c * 256 + d)}`,
    `0x${a.toString(16)}.${octal[1] ?? ""}.${String(c * 256 + d)}`,
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll(".", "。"),
    `[::ffff:${address}]`,
    `[0:0:0:0:0:FFFF:${groups}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::1]`,
    `[2001:0:${groups}::1]`,
    `visitor@${address}`,
    `public.example:80@${address}`,
    `public.example%2f@${address}`,
  ];
}

describe("a public address", () => {
  it.each([
    ["0.0.0.0", "0.255.255.255"],
    ["10.0.0.0", "10.255.255.255"],
    ["100.64.0.0", "100.127.255.255"],
    ["127.0.0.0", "127.255.255.255"],
    ["169.254.0.0", "169.254.255.255"],
    ["172.16.0.0", "172.31.255.255"],
    ["192.0.0.0", "192.0.0.255"],
    ["192.0.2.0", "192.0.2.255"],
    ["192.88.99.0", "192.88.99.255"],
    ["192.168.0.0", "192.168.255.255"],
    ["198.18.0.0", "198.19.255.255"],
    ["198.51.100.0", "198.51.100.255"],
    ["203.0.113.0", "203.0.113.255"],
    ["224.0.0.0", "239.255.255.255"],
    ["240.0.0.0", "255.255.255.255"],
    ["168.63.129.16", "168.63.129.16"],
    ["::", "::1"],
    ["::7f00:1", "::a9fe:a9fe"],
    ["::ffff:0:0", "::ffff:ffff:ffff"],
    ["::ffff:8.8.8.8", "::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1", "64:ff9b::10.0.0.1"],
    ["64:ff9b::a9fe:a9fe", "64:ff9b::ffff:ffff"],
    ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
    ["100::", "100::ffff:ffff:ffff:ffff"],
    ["1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::"],
    ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fd00:ec2::254", "fd20:ce::254"],
    ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("is not in a special range: %s to %s", (first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
  });

  it.each([
    ["1.0.0.0", "9.255.255.255"],
    ["11.0.0.0", "100.63.255.255"],
    ["100.128.0.0", "126.255.255.255"],
    ["128.0.0.0", "169.253.255.255"],
    ["169.255.0.0", "172.15.255.255"],
    ["172.32.0.0", "191.255.255.255"],
    ["192.0.1.0", "192.167.255.255"],
    ["192.169.0.0", "198.17.255.255"],
    ["198.20.0.0", "223.255.255.255"],
    ["2000::", "2001:200::"],
    ["2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"],
    ["2003::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["3fff:1000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["64:ff9b::8.8.8.8", "2606:4700:4700::1111"],
  ])("is beside the special ranges: %s and %s", (first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([true, true]);
  });

  it("is an address and nothing else", () => {
    const others = [
      "",
      "localhost",
      "8.8.8",
      "8.8.8.8.",
      "08.8.8.8",
      "[2606:4700::1]",
      "2606:4700::1%eth0",
      "fe80::1%lo",
    ];
    expect(others.filter((text) => isPublicAddress(text))).toEqual([]);
  });
});

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

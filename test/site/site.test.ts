import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../docs/pages.js";
import { startServer, type TestServer } from "../support/server.js";

const BUILT = path.join(ROOT, "gateway/dist/site");

/** The addresses of pages of a folder, by the names of its files in the repository. */
function pagesOf(folder: string): string[] {
  return readdirSync(path.join(ROOT, "docs", folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => `/docs/${path.posix.join(folder, name.replace(/\.md$/, ""))}`);
}

const PAGES = ["/docs/", ...pagesOf("."), ...pagesOf("platforms")];

/** The site that `npm run docs` has built, as a server of the product serves it. */
describe("the site of the documentation", () => {
  let server: TestServer;
  const answers = new Map<string, { readonly status: number; readonly policy: string; readonly html: string }>();

  async function read(address: string): Promise<void> {
    const answer = await fetch(server.url + address);
    const policy = answer.headers.get("content-security-policy") ?? "";
    answers.set(address, { status: answer.status, policy, html: await answer.text() });
  }

  beforeAll(async () => {
    if (!existsSync(BUILT)) throw new Error("Run `npm run docs` first: it builds what is tested here.");
    server = await startServer();
    for (const page of PAGES) await read(page);
  });
  afterAll(() => server.close());

  /** What all pages have at a pattern, each as page and match. */
  const inPages = (pattern: RegExp): [string, string][] =>
    PAGES.flatMap((page) =>
      [...(answers.get(page)?.html ?? "").matchAll(pattern)].map(([, found = ""]): [string, string] => [page, found]),
    );

  it("has every page, each with the way to all others, a search and a switch of the theme", () => {
    for (const page of PAGES) {
      const { status, html } = answers.get(page) ?? {};
      expect(status, page).toBe(200);
      for (const part of ['id="local-search"', 'role="switch"', '<aside class="VPSidebar"'])
        expect(html, page).toContain(part);
      const links = new Set([...(html ?? "").matchAll(/href="([^"]+)"/g)].map(([, link]) => link));
      expect(
        PAGES.filter((other) => !links.has(other)),
        page,
      ).toEqual([]);
    }
  });

  it("finds words of the pages in its index", () => {
    const chunks = path.join(BUILT, "assets/chunks");
    const index = readdirSync(chunks).find((name) => /^@localSearchIndex.*\.js$/.test(name)) ?? "";
    expect(readFileSync(path.join(chunks, index), "utf8")).toContain("sentiment");
  });

  it("runs no script but its files and those whose hashes the policy names", () => {
    const scripts = inPages(/<script\b(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g);
    expect(scripts.length).toBeGreaterThanOrEqual(PAGES.length);
    for (const [page, script] of scripts) {
      const policy = /script-src ([^;]+)/.exec(answers.get(page)?.policy ?? "")?.[1]?.split(" ");
      expect(policy).toContain(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
      expect(policy).not.toContain("'unsafe-inline'");
    }
    expect(inPages(/\s(on[a-z]+)="/g)).toEqual([]);
  });

  it("loads nothing from another host", () => {
    expect(
      inPages(/<(?:script|link|img|source|iframe)\b[^>]*\s(?:src|href|srcset)="((?:https?:)?\/\/[^"]*)"/g),
    ).toEqual([]);
    const styles = readdirSync(path.join(BUILT, "assets")).filter((name) => name.endsWith(".css"));
    expect(styles.length).toBeGreaterThan(0);
    for (const name of styles) {
      expect(readFileSync(path.join(BUILT, "assets", name), "utf8")).not.toMatch(/url\(["']?(https?:)?\/\//);
    }
  });

  it("leads only to what there is", async () => {
    const links = inPages(/\s(?:href|src)="(?!data:|https?:)([^"]+)"/g);
    const targets = new Set(links.map(([page, link]) => new URL(link, server.url + page).pathname));
    for (const target of targets) if (!answers.has(target)) await read(target);
    const dead = links.filter(([page, link]) => {
      const { pathname, hash } = new URL(link, server.url + page);
      const { status, html = "" } = answers.get(pathname) ?? {};
      return status !== 200 || (hash !== "" && !html.includes(` id="${decodeURIComponent(hash).slice(1)}"`));
    });
    expect(dead).toEqual([]);
  });
});

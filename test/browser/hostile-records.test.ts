import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { png } from "../support/png.js";
import { EMAIL, PASSWORD, startServer, type TestServer } from "../support/server.js";
import { consoleUser, demo } from "./support/console-page.js";
import { expectHarmless, hostileText, watched } from "./support/hostile.js";

const INSIGHTS = "/api/v2/products/insight";
const OPERATIONS = "/api/v2/products/api/operations";
const SCRIPT_LINK = "javascript:hacked=1";

/** Every field that people or platforms fill in, at its longest. Fields that are refused are tried shorter or not at all. */
describe.skipIf(demo === undefined)("hostile texts in every field", () => {
  const user = consoleUser();
  let server: TestServer;
  let posting: string;

  beforeAll(async () => {
    server = await startServer({ NEWS_FEEDS: "none", BOOTSTRAP_COMPANY: hostileText(200) });
    const authorization = await server.signIn();
    const send = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
      const answer = await server.send(method, path, { authorization, body, headers });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text.slice(0, 500)}`);
      return answer;
    };
    const [first_name, last_name] = [hostileText(200), hostileText(200)];
    const me = (await server.send("GET", "/api/v2/me", { authorization })).body as { id: number };
    await send("PATCH", `/api/v2/users/${me.id}`, { first_name, last_name });
    await send("POST", "/api/v2/users", { email: `${"w".repeat(60)}@example.com`, first_name, last_name });
    await send("POST", "/api/v2/keys", { name: hostileText(120), scopes: ["operations"] });

    const feeds = [`https://example.com/${encodeURI(hostileText(500))}`.slice(0, 2048)];
    await send("POST", INSIGHTS, {
      name: hostileText(120),
      note: hostileText(2000),
      query: {
        keywords: hostileText(500),
        platforms: ["news", "reddit"],
        dimensions: ["textual"],
        location: hostileText(100),
        follow: { feeds },
      },
    });
    await send("POST", `${INSIGHTS}/1/postings`, JSON.stringify(hostilePosting()), {
      "content-type": "application/x-ndjson",
    });
    posting = await vi.waitFor(async () => {
      const listed = await server.send("GET", `${INSIGHTS}/1/postings`, { authorization });
      const [found] = (listed.body as { postings: { more_info: { key: string } }[] }).postings;
      if (found === undefined) throw new Error("The posting is not analyzed yet.");
      return found.more_info.key;
    });

    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(png({ width: 40, height: 30 }))]), hostileText(255));
    const uploaded = await fetch(`${server.url}${OPERATIONS}/upload`, {
      method: "POST",
      headers: { authorization },
      body: form,
    });
    const { id: file } = (await uploaded.json()) as { id: number };
    const metadata = { [hostileText(40)]: hostileText(500) };
    const shared = { name: hostileText(120), explain: true };
    await send("POST", OPERATIONS, { type: "file", contents: [file], analyses: ["caption"], ...shared });
    await send("POST", OPERATIONS, {
      ...shared,
      type: "text",
      contents: [hostileText(20_000), "I love it."],
      analyses: ["sentiment-simple", "topic", "personality-mb"],
      metadata,
    });
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const filter = { author: [hostileText(500)], topic: [hostileText(500)] };
    await send("POST", `${INSIGHTS}/exports`, {
      insight_search_ids: [1],
      start_date: "2026-01-01",
      end_date: day,
      filter,
    });
  });
  afterAll(() => server.close());

  async function open(path: string): Promise<{ page: Page; seen: ReturnType<typeof watched> }> {
    const page = await (await user.window()).newPage();
    await page.goto(`${server.url}/sign-in?next=${encodeURIComponent(path)}`);
    const seen = watched(page);
    await page.getByLabel("E-mail").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByLabel("Keep me signed in in this tab").check();
    await page.getByLabel("Password").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await settled(page);
    return { page, seen };
  }

  async function go(page: Page, path: string): Promise<void> {
    await page.goto(server.url + path);
    await settled(page);
  }

  /** Until the screen shows what was stored, of which every one has something. */
  async function settled(page: Page): Promise<void> {
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    const shown = page
      .locator("main")
      .getByText(/Zz<img/)
      .or(page.locator("main textarea"));
    await shown.first().waitFor({ state: "attached" });
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  }

  it("do nothing on any screen, wide or narrow", async () => {
    const { page, seen } = await open("/");
    const screens = [
      "/",
      "/insights",
      "/insights/1",
      `/insights/1?author=${encodeURIComponent(hostileText(200))}&q=${encodeURIComponent(hostileText(100))}&platform=${encodeURIComponent(hostileText(90))}`,
      `/insights/1/postings?posting=${posting}`,
      "/insights/1/collection",
      "/insights/new?from=1",
      `/insights/new?words=${encodeURIComponent(hostileText(400))}`,
      "/analyses",
      `/analyses?q=${encodeURIComponent(hostileText(150))}`,
      "/analyses/1",
      "/analyses/2",
      "/analyses/new?from=2",
      "/exports",
      "/exports?new=1&insight=1",
      "/settings/account",
      "/settings/keys",
      "/settings/users",
    ];
    for (const path of screens) {
      await go(page, path);
      await expectHarmless(page, seen, path);
      await page.setViewportSize({ width: 390, height: 800 });
      await expectHarmless(page, seen, `narrow: ${path}`);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /Where to/ }).fill("Zz");
    await expectHarmless(page, seen, "the palette");
  });

  it("do nothing in messages and questions", async () => {
    const { page, seen } = await open("/analyses");
    await page
      .getByRole("button", { name: /^Delete Zz/ })
      .first()
      .click();
    await page.getByText(/is deleted\.$/).waitFor();
    await expectHarmless(page, seen, "a deleted analysis");
    await page.getByRole("button", { name: "Undo" }).click();
    await go(page, "/settings/keys");
    await page.getByRole("button", { name: "Revoke" }).first().click();
    await expectHarmless(page, seen, "a revoked key");
    await page.getByRole("button", { name: "Undo" }).click();
    await go(page, "/insights");
    await page.getByRole("button", { name: /^Actions: Zz/ }).click();
    await page.getByRole("menuitem", { name: "Delete insight" }).click();
    await page.getByText(/are being deleted\.$/).waitFor();
    await expectHarmless(page, seen, "a deleted insight");
    await page.getByRole("button", { name: "Undo" }).click();
  });

  it("of a megabyte are refused in words where they are typed", async () => {
    const { page, seen } = await open("/insights/new");
    const refused = async (label: RegExp, said: RegExp, characters = 1_000_000): Promise<void> => {
      await page.getByLabel(label).first().fill(hostileText(characters));
      await page.getByText(said).first().waitFor();
    };
    await refused(/^Words to look for/, /larger than the 262144 bytes/);
    await page.getByLabel(/^Words to look for/).fill("kestrel");
    await page.getByText("larger than the 262144 bytes").waitFor({ state: "detached" });
    await refused(/^Name/, /larger than the 262144 bytes/, 300_000);
    await go(page, "/analyses/new");
    await refused(/^Texts/, /at most [\d,]+: “Zz/);
    await go(page, "/settings/keys");
    await page.getByRole("button", { name: "Make a key" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What it is for").fill(hostileText(300_000));
    await dialog.getByRole("button", { name: "Make a key" }).click();
    await dialog
      .getByText(/larger than the \d+ bytes/)
      .first()
      .waitFor();
    await expectHarmless(page, seen, "a key of a megabyte");
  });
});

/** A posting all of whose fields are hostile, and longer than most are. */
function hostilePosting(): object {
  const text = (characters: number): string => hostileText(characters);
  return {
    platform: "reddit",
    post_date: "11/20/2026",
    post_time: "10:20:30",
    social_id: text(500),
    social_url: SCRIPT_LINK,
    text_of_post: text(999_000),
    author_id: text(500),
    author_username: text(500),
    author_name: text(500),
  };
}

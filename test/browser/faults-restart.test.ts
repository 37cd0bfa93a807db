import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Deployment } from "../support/deployment.js";
import { FeedServer } from "../support/feed-server.js";
import { png } from "../support/png.js";
import { embeddedTestStorage, type TestStorage } from "../support/test-storage.js";
import { consoleUser, demo } from "./support/console-page.js";
import { Line } from "./support/line.js";

const EMAIL = "admin@example.com";
const PASSWORD = "correct horse battery staple";
const NO_ANSWER = /ERR_(EMPTY_RESPONSE|CONNECTION_\w+)/;
const INSIGHTS = "/api/v2/products/insight";
const OPERATIONS = "/api/v2/products/api/operations";

/** A server of its own, since it is killed: no other test could use it. */
describe.skipIf(demo === undefined)("a server that is killed and started again", () => {
  const user = consoleUser();
  let storage: TestStorage;
  let feeds: FeedServer;
  let server: Deployment;
  let line: Line;

  beforeAll(async () => {
    storage = await embeddedTestStorage();
    feeds = await FeedServer.start();
    feeds.feeds.set("/news", [
      { guid: "1", title: "Kestrel seen", text: "A kestrel above the town.", at: new Date(Date.now() - 60_000) },
      { guid: "2", title: "Kestrel bike", text: "The kestrel bike is new.", at: new Date(Date.now() - 120_000) },
    ]);
    const env = {
      ...storage.env,
      ...{ BOOTSTRAP_EMAIL: EMAIL, BOOTSTRAP_PASSWORD: PASSWORD, SERVICE_SECRET: "a secret of the services" },
      ...{ ANALYSIS_THREADS: "1", RATE_LIMIT_PER_MINUTE: "0", SIGN_IN_ATTEMPTS_PER_MINUTE: "0", LOG_LEVEL: "warn" },
      ...{ NEWS_FEEDS: feeds.url("/news"), ALLOW_PRIVATE_URLS: "true" },
    };
    server = await Deployment.prepare({ topology: "one-process", env });
    server.start();
    await server.ready();
    line = await Line.to(server.url);
  });
  afterAll(async () => {
    await line.close();
    await server.end("SIGKILL");
    await feeds.close();
    await storage.remove();
  });

  async function open(path: string): Promise<Page> {
    const page = await (await user.window()).newPage();
    await page.goto(`${line.url}/sign-in?next=${encodeURIComponent(path)}`);
    await page.getByLabel("E-mail").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.locator("main h1").waitFor();
    return page;
  }

  async function startAgain(page: Page): Promise<void> {
    server.start();
    await server.ready();
    line.mend();
    // Nobody has to do anything for that, and nobody has to sign in again.
    await page.getByText("No connection to the server.").waitFor({ state: "detached" });
  }

  /** The server dies after it has done what a request asked for, before anybody learns of it. */
  function dieAfter(method: string, path: string): void {
    line.fate = (request) => (request.method === method && request.path === path ? "lose answer" : "pass");
  }

  it("has started a new search once, although it died before it answered", async () => {
    user.expects(NO_ANSWER);
    const page = await open("/insights/new");
    await page.getByRole("textbox", { name: "Words to look for" }).fill("kestrel");
    await page.getByRole("button", { name: "Look first" }).click();
    await expect.poll(() => page.getByRole("article").count()).toBe(2);
    await page.getByRole("textbox", { name: "Words to look for" }).fill("kestrel -bike");
    const before = line.of("POST", INSIGHTS).length;
    dieAfter("POST", INSIGHTS);
    await page.getByRole("button", { name: "Start collecting" }).click();
    await page.getByText("The server did not answer").first().waitFor();
    await server.end("SIGKILL");
    await startAgain(page);
    expect(await page.getByRole("textbox", { name: "Words to look for" }).inputValue()).toBe("kestrel -bike");
    await page.getByRole("button", { name: "Start collecting" }).click();
    await page.waitForURL(/\/insights\/\d+\/postings$/);
    const keys = line.of("POST", INSIGHTS).slice(before);
    expect([keys.length, new Set(keys.map(({ idempotencyKey }) => idempotencyKey)).size]).toEqual([2, 1]);
    await page.getByRole("link", { name: "Insights", exact: true }).click();
    await expect.poll(() => page.getByRole("link", { name: "kestrel -bike", exact: true }).count()).toBe(1);
    // The preview is deleted, now that there is the search itself.
    await expect.poll(() => page.getByRole("link", { name: "kestrel", exact: true }).count()).toBe(0);
  });

  it("has analyzed files once, although it died before it answered", async () => {
    user.expects(NO_ANSWER);
    const page = await open("/analyses/new?type=files");
    const picture = { name: "kept.png", mimeType: "image/png", buffer: png({ width: 40, height: 30 }) };
    await page.locator("input[type=file]").first().setInputFiles([picture]);
    await page.getByText("1 of 1 file uploaded").waitFor();
    dieAfter("POST", OPERATIONS);
    await page.getByRole("button", { name: "Analyze 1 file" }).click();
    await page.getByText("The server did not answer").first().waitFor();
    await server.end("SIGKILL");
    await startAgain(page);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL(/\/analyses\/\d+/);
    const [first, second] = line.of("POST", OPERATIONS).slice(-2);
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
    await page.getByRole("link", { name: "Analyses", exact: true }).click();
    await expect.poll(() => page.getByRole("link", { name: /kept\.png/ }).count()).toBe(1);
  });

  it("finishes the analysis that it was killed in, while its page waits", async () => {
    user.expects(NO_ANSWER);
    const page = await open("/analyses/new");
    await page.getByRole("textbox", { name: "Texts" }).fill("I love it.\nI hate it.");
    await page.getByRole("button", { name: "Analyze 2 texts" }).click();
    await page.waitForURL(/\/analyses\/\d+/);
    await server.end("SIGKILL");
    line.cut();
    await page.getByText("No connection to the server.").waitFor();
    await startAgain(page);
    await page.getByRole("button", { name: "CSV", exact: true }).first().waitFor();
  });
});

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Deployment } from "../support/deployment.js";
import { FeedServer } from "../support/feed-server.js";
import { png } from "../support/png.js";
import { embeddedTestStorage, type TestStorage } from "../support/test-storage.js";
import { consoleUser, demo } from "./support/console-page.js";
import { Line, type Passed } from "./support/line.js";

const EMAIL = "admin@example.com";
const PASSWORD = "correct horse battery staple";
const NO_ANSWER = /ERR_(EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_\w+)/;
const INSIGHTS = "/api/v2/products/insight";
const OPERATIONS = "/api/v2/products/api/operations";

/** A separate server, since it is killed: no other test could use it. */
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

  it("has done each thing once that it died in, and nobody has typed anything twice", async () => {
    user.expects(NO_ANSWER);
    // It does what it is asked for, and dies before anybody learns of it.
    const isAsked = ({ method, path }: Passed) => method === "POST" && (path === INSIGHTS || path === OPERATIONS);
    const lost = (): void => void (line.fate = (request) => (isAsked(request) ? "lose answer" : "pass"));
    const noAnswer = (page: Page) => page.getByText("The server did not answer").first().waitFor();
    const noConnection = (page: Page) => page.getByText("No connection to the server.");

    const search = await open("/insights/new");
    const words = search.getByRole("textbox", { name: "Words to look for" });
    await words.fill("kestrel");
    await search.getByRole("button", { name: "Look first" }).click();
    await expect.poll(() => search.getByRole("article").count()).toBe(2);
    await words.fill("kestrel -bike");
    const files = await open("/analyses/new?type=files");
    const picture = { name: "kept.png", mimeType: "image/png", buffer: png({ width: 40, height: 30 }) };
    await files.locator("input[type=file]").first().setInputFiles([picture]);
    await files.getByText("1 of 1 file uploaded").waitFor();
    const running = await open("/analyses/new");
    await running.getByRole("textbox", { name: "Texts" }).fill("I love it.\nI hate it.");
    await running.getByRole("button", { name: "Analyze 2 texts" }).click();
    await running.waitForURL(/\/analyses\/\d+/);

    const before = line.passed.length;
    lost();
    await search.getByRole("button", { name: "Start collecting" }).click();
    await files.getByRole("button", { name: "Analyze 1 file" }).click();
    await Promise.all([noAnswer(search), noAnswer(files)]);
    await server.end("SIGKILL");
    line.cut();
    await noConnection(running)
      .or(running.getByRole("button", { name: "CSV", exact: true }))
      .first()
      .waitFor();
    server.start();
    await server.ready();
    line.mend();
    // Nobody has to do anything for that, and nobody has to sign in again.
    await Promise.all([search, files, running].map((page) => noConnection(page).waitFor({ state: "detached" })));

    expect(await words.inputValue()).toBe("kestrel -bike");
    await search.getByRole("button", { name: "Start collecting" }).click();
    await search.waitForURL(/\/insights\/\d+\/postings$/);
    await files.getByRole("button", { name: "Try again" }).click();
    await files.waitForURL(/\/analyses\/\d+/);
    await running.getByRole("button", { name: "CSV", exact: true }).first().waitFor();
    const keys = line.passed.slice(before).filter(isAsked);
    expect([keys.length, new Set(keys.map(({ idempotencyKey }) => idempotencyKey)).size]).toEqual([4, 2]);

    await search.getByRole("link", { name: "Insights", exact: true }).click();
    await expect.poll(() => search.getByRole("link", { name: "kestrel -bike", exact: true }).count()).toBe(1);
    // The preview is deleted, now that there is the search itself.
    await expect.poll(() => search.getByRole("link", { name: "kestrel", exact: true }).count()).toBe(0);
    await files.getByRole("link", { name: "Analyses", exact: true }).click();
    await expect.poll(() => files.getByRole("link", { name: /kept\.png/ }).count()).toBe(1);
  });
});

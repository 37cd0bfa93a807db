import { MetaUpstream } from "@hourglass/demo";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Deployment } from "../support/deployment.js";
import { EMAIL, PASSWORD, TEST_SETTINGS } from "../support/server.js";
import { embeddedTestStorage, type TestStorage } from "../support/test-storage.js";
import { consoleUser, demo } from "./support/console-page.js";

const TOKEN = "the-token-that-is-right";
const POSTINGS = 12;
const HOUR_MS = 60 * 60_000;

/** What the browser says while the server is restarted. */
const AWAY =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_SOCKET_NOT_CONNECTED/;

describe.skipIf(demo === undefined)("a platform in trouble", () => {
  let platform: MetaUpstream;
  let storage: TestStorage;
  let server: Deployment;
  const user = consoleUser({ server: () => ({ url: server.url, email: EMAIL, password: PASSWORD }) });

  beforeAll(async () => {
    platform = await MetaUpstream.start({ token: TOKEN, now: Date.now });
    // Instagram gives out the last day of a hashtag: what was posted before is lost for good.
    for (let hour = 0; hour < POSTINGS; hour++) platform.instagram.post({ at: Date.now() - (hour + 1) * HOUR_MS });
    storage = await embeddedTestStorage();
    server = await Deployment.prepare({
      topology: "one-process",
      env: {
        ...{ ...TEST_SETTINGS, ...storage.env, COLLECT_INTERVAL_SECONDS: "2", LOG_LEVEL: "error" },
        ...{ INSTAGRAM_BASE_URL: platform.origin, INSTAGRAM_USER_ID: "17841400000000009" },
        INSTAGRAM_ACCESS_TOKEN: "a-token-that-has-ended",
      },
    });
    server.start();
    await server.ready();
  });
  afterAll(async () => {
    await server.end("SIGTERM");
    await storage.remove();
    await platform.close();
  });

  /** Starts an insight on Instagram, and waits until it says that it is in trouble. Returns its path. */
  async function troubled(page: Page): Promise<string> {
    await page.getByRole("textbox", { name: "Words to look for" }).fill("#kestrel");
    await page.getByRole("checkbox", { name: "News" }).uncheck();
    await page.getByRole("checkbox", { name: "Instagram" }).check();
    await page.getByRole("button", { name: "Start collecting" }).click();
    await page.waitForURL(/\/insights\/\d+\/postings$/);
    await page.getByRole("link", { name: "▲ 1 platform in trouble" }).click();
    await page.waitForURL(/\/insights\/\d+\/collection$/);
    return new URL(page.url()).pathname;
  }

  it("says what to do, resumes when that is done, and leaves its gap visible", async () => {
    const page = await user.open("/insights/new");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const collection = await troubled(page);
    await page.getByRole("heading", { name: "Instagram: the credentials are rejected" }).waitFor();
    await page.getByRole("button", { name: "Copy the command" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("npm run -s admin -- platforms check");
    await page.getByRole("link", { name: "What to set up" }).click();
    await page.locator("#instagram[open]").getByText("INSTAGRAM_ACCESS_TOKEN").first().waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Copy the command" }).waitFor();

    // The people who run the server do it.
    user.expects(AWAY);
    const product = server.part("product");
    await product.end("SIGTERM");
    product.start({ INSTAGRAM_ACCESS_TOKEN: TOKEN });
    await product.ready();

    await page.getByRole("button", { name: "Copy the command" }).waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "waits for its next look" }).waitFor();
    const gap =
      /^Instagram: \d+% of the time collected completely; otherwise: .*older than what the platform gives out/;
    await page.getByText(gap).waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.waitForURL(`**${collection.replace("/collection", "")}`);
    // What the platform had dropped by then is not shown as days without postings.
    const series = page.getByRole("region", { name: /^Postings by day/ });
    await series.getByText(/\d+ days were not collected completely/).waitFor();
    await series.getByText(gap).waitFor();
    await series.getByRole("link", { name: "What is missing?" }).click();
    await page.waitForURL(`**${collection}`);
  });
});

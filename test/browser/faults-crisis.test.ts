import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";
import { overLine, signInAgain } from "./support/over-line.js";

const SUMMARY = "/api/v2/products/insight/1/summary";
const POSTINGS = "/api/v2/products/insight/1/postings";
const NO_ANSWER = /ERR_(EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED|CONNECTION_\w+)/;
const HOUR_MS = 3_600_000;

describe.skipIf(demo === undefined)("an unusual day, in the middle of which something fails,", () => {
  const user = consoleUser();
  const over = overLine(user);

  const totals = (page: Page) => page.getByText(/% negative/).first();
  const total = (page: Page) => page.getByText(/^[\d,]+ postings?$/).first();
  const noConnection = (page: Page) => page.getByText("No connection to the server.");

  it("says what a slow server does, and can be canceled and asked for again", async () => {
    const page = await over.open("/insights/1/collection", { prepare: (one) => one.clock.install() });
    let goOn = (): void => undefined;
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    over.line.fate = ({ path }) => (path === SUMMARY || path === POSTINGS ? slow : "pass");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("img", { name: "Loading" }).first().waitFor();
    expect(await page.getByText(/^Counting/).count()).toBe(0);
    await page.clock.runFor(5_500);
    await page.getByText(/^Counting [\d,]+ postings/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).first().click();
    await page.getByText("Canceled").first().waitFor();
    await page.getByRole("link", { name: "Postings", exact: true }).click();
    await page.clock.runFor(5_500);
    await page.getByText(/^Looking through [\d,]+ postings/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Canceled").waitFor();
    goOn();
    over.line.mend();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(0);
    await page.getByRole("link", { name: "Overview" }).click();
    await totals(page).waitFor();
  });

  it("asks to sign in again on the way to its postings, and shows them at the same address", async () => {
    const page = await over.open("/insights/1?polarity=negative");
    await totals(page).waitFor();
    over.endSession();
    await page.getByRole("link", { name: "Postings", exact: true }).click();
    await signInAgain(page, user.demo.password);
    await total(page).waitFor();
    expect(new URL(page.url()).search).toBe("?polarity=negative");
  });

  it("stays readable without a server, and is read again by itself once it is back", async () => {
    user.expects(NO_ANSWER);
    const page = await over.open("/insights/1/postings?polarity=negative");
    const seen = await total(page).textContent();
    over.line.cut();
    await page.getByRole("link", { name: "Overview" }).click();
    await noConnection(page).waitFor();
    await page.goBack();
    await noConnection(page).waitFor();
    over.line.mend();
    await noConnection(page).waitFor({ state: "detached" });
    await expect.poll(() => total(page).textContent()).toBe(seen);
  });

  it("waits for a busy server as long as it asks, and nothing else on the page does", async () => {
    user.expects(/status of 503/);
    const page = await over.open("/insights/1/collection", { prepare: (one) => one.clock.install() });
    over.line.fate = ({ path }) => (path === SUMMARY ? { status: 503, headers: { "retry-after": "20" } } : "pass");
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText(/The server is busy\. Trying again in \d+ seconds/).waitFor();
    await page.getByRole("link", { name: "Postings", exact: true }).click();
    await total(page).waitFor();
    over.line.mend();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.clock.runFor(21_000);
    await totals(page).waitFor();
  });

  it("is the same with a clock that is an hour off", async () => {
    for (const off of [-HOUR_MS, HOUR_MS]) {
      const page = await over.open("/", { prepare: (one) => one.clock.install({ time: Date.now() + off }) });
      const asked = over.line.passed.length;
      await page
        .getByText(/unusual day/)
        .first()
        .waitFor();
      await page.getByRole("link", { name: "Insights", exact: true }).click();
      // It has collected within this minute, whatever time this computer says.
      const success = page.getByRole("row").filter({ hasText: "running" }).locator("time").first();
      expect(await success.textContent()).toMatch(/^(now|(\d+ (second|minute)s? ago))$/);
      await page
        .getByRole("link", { name: /^\+[\d,]+$/ })
        .first()
        .waitFor();
      await page.clock.runFor(60_000);
      // Nothing is asked for all the time.
      expect(over.line.passed.length - asked).toBeLessThan(60);
    }
  });

  it("can be followed where the browser keeps nothing", async () => {
    const context = await user.window();
    await forbidStorage(context);
    const page = await context.newPage();
    await page.goto(`${over.line.url}/sign-in?next=/`);
    await page.getByLabel("Keep me signed in in this tab").check();
    await user.signIn(page);
    await page
      .getByText(/unusual day/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: /usual/ }).first().click();
    await page.waitForURL(/\/insights\/1\?/);
    await page.getByRole("link", { name: "Postings", exact: true }).click();
    await total(page).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Analyses", level: 1 }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Texts" }).fill("I love it.");
    await page.getByRole("button", { name: /^Analyze/ }).click();
    await page.waitForURL(/\/analyses\/\d+/);
    await page.goto(`${over.line.url}/insights`);
    await page.waitForURL(/\/sign-in/);
  });
});

/** As some browsers do for a site: reading and writing fail, also where the object itself is there. */
async function forbidStorage(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    for (const name of ["getItem", "setItem", "removeItem"] as const) {
      Storage.prototype[name] = () => {
        throw new DOMException("forbidden", "QuotaExceededError");
      };
    }
  });
}

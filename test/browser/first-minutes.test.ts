import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";
import { countOf, numberIn } from "./support/counts.js";
import { enter, tabTo } from "./support/keyboard.js";

describe.skipIf(demo === undefined)("the first minutes", () => {
  const user = consoleUser();

  /** What the screen of a result shows of one text. */
  async function isRead(page: Page): Promise<void> {
    await page.waitForURL(/\/analyses\/\d+/);
    await expect.poll(() => page.locator("mark").count()).toBeGreaterThan(0);
    const hourglass = page.getByRole("region", { name: "Emotions", exact: true }).getByRole("table");
    await hourglass.getByRole("columnheader", { name: "strong +" }).waitFor();
    expect(await hourglass.getByRole("rowheader").count()).toBe(5);
  }

  const cardOfModel = (page: Page): Locator => page.locator("main a[href^='/settings/models#']").first();
  const shownOfSpike = (page: Page): Locator => page.getByRole("link", { name: /^Show [\d,]+ postings?$/ }).first();

  it("lead by mouse from the sign-in over a text and its model to the postings of an unusual day", async () => {
    const page = await (await user.window()).newPage();
    await page.goto(user.demo.url);
    await page.getByLabel("E-mail").fill(user.demo.email);
    await page.getByLabel("Password").fill(user.demo.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Analyze a text" }).click();
    await page.getByRole("button", { name: "Try a sample" }).click();
    await page.getByRole("menuitem", { name: "A review" }).click();
    await page.getByRole("button", { name: /^Analyze/ }).click();
    await isRead(page);
    const result = page.url();
    await cardOfModel(page).click();
    await page.locator("details[open]").getByRole("table").first().waitFor();
    await page.goBack();
    await isRead(page);
    expect(page.url()).toBe(result);
    await page.getByRole("navigation").getByRole("link", { name: "Home" }).click();
    await page.getByRole("link", { name: "Look at the demo insight" }).click();
    const show = shownOfSpike(page);
    await show.waitFor();
    const announced = numberIn(await show.textContent());
    await show.click();
    await page.waitForURL(/\/postings\?/);
    expect(await countOf(page)).toBe(announced);
  });

  it("lead there by keys alone", async () => {
    const page = await (await user.window()).newPage();
    await page.goto(user.demo.url);
    await user.signIn(page);
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.waitForURL(/\/analyses$/);
    await page.locator("main h1").waitFor();
    await page.keyboard.press("n");
    await page.waitForURL(/\/analyses\/new/);
    await tabTo(page, page.getByRole("textbox", { name: /text/i }));
    await page.keyboard.type("I love the new museum in Lisbon, but the queue made me furious.");
    await page.keyboard.press("Control+Enter");
    await isRead(page);
    await enter(page, cardOfModel(page));
    await page.waitForURL(/\/settings\/models#/);
    await page.locator("details[open]").getByRole("table").first().waitFor();
    // Alt ← is a key of the browser, which has none while it is not shown.
    await page.goBack();
    await isRead(page);
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await enter(page, page.getByRole("link", { name: "Look at the demo insight" }));
    const show = shownOfSpike(page);
    await show.waitFor();
    const announced = numberIn(await show.textContent());
    await enter(page, show);
    await page.waitForURL(/\/postings\?/);
    expect(await countOf(page)).toBe(announced);
    await page.keyboard.press("j");
    await page.waitForURL(/[?&]posting=/);
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("The chosen posting");
  });
});

import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";
import { countOf, numberIn } from "./support/counts.js";

describe.skipIf(demo === undefined)("an author who asks to be erased", () => {
  const user = consoleUser();

  /** The export of everything; other tests make exports of a part. */
  const whole = (page: Page): Locator => page.getByRole("row").filter({ hasNotText: "polarity" });
  const csv = (page: Page): Locator => whole(page).getByRole("button", { name: /^csv / }).first();

  async function downloaded(page: Page): Promise<string> {
    const saved = page.waitForEvent("download");
    await csv(page).click();
    return readFile(await (await saved).path(), "utf8");
  }

  it("is found by name, and leaves the counts and the exports with all postings", async () => {
    const page = await user.open("/exports?new=1&insight=1");
    await page.getByRole("button", { name: "Start the export" }).click();
    await csv(page).waitFor();
    const reader = await user.open("/insights/1/postings?platform=twitter");
    await reader.getByRole("article").first().click();
    const detail = reader.getByRole("region", { name: "The chosen posting" });
    const author = (await detail.getByRole("heading", { level: 2 }).textContent()) ?? "";
    expect(await downloaded(page)).toContain(author);
    const before = await countOf(reader);
    await reader.getByRole("link", { name: "Collection" }).click();
    await reader.getByLabel("Name, user name or id of the author").fill(author);
    await reader.getByRole("button", { name: "Find" }).click();
    await reader.getByText("1 author found for").waitFor();
    await reader.getByRole("button", { name: "Erase author…" }).click();
    const dialog = reader.getByRole("dialog", { name: "Erase all postings of this author" });
    await dialog.getByText(author).waitFor();
    const counted = dialog.getByText(/^\d+ postings? in this insight/);
    await counted.waitFor();
    const erased = numberIn(await counted.textContent());
    await dialog.getByLabel("Type erase to confirm").fill("erase");
    await dialog.getByRole("button", { name: "Erase all of them" }).click();
    await reader.getByText(/postings? (was|were) erased\.$/).waitFor();

    await reader.getByRole("link", { name: "Postings", exact: true }).click();
    await expect.poll(() => countOf(reader)).toBe(before - erased);
    // Nothing runs, so that the list is read once a minute; who comes back reads it at once.
    const menu = page.getByRole("navigation");
    await expect
      .poll(async () => {
        await menu.getByRole("link", { name: "Home" }).click();
        await page.waitForURL(user.demo.url + "/");
        await menu.getByRole("link", { name: "Exports" }).click();
        await page.getByRole("table").waitFor();
        return whole(page)
          .getByText(/^revised/)
          .count();
      })
      .toBeGreaterThan(0);
    await expect.poll(() => downloaded(page)).not.toContain(author);
  });
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";

describe.skipIf(demo === undefined)("a new search", () => {
  const user = consoleUser();

  const query = (page: Page) => page.getByRole("textbox", { name: "Words to look for" });

  it("is mended where it is wrong, looked at first, narrowed, and started", async () => {
    const page = await user.open("/insights/new");
    await query(page).fill('kestrel OR "merlin');
    await page.getByText(/quote/i).first().waitFor();
    await query(page).fill("kestrel OR merlin");
    await page.getByRole("button", { name: "Look first" }).click();
    await page.waitForURL(/[?&]preview=\d+/);
    await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(3);
    await query(page).fill("kestrel OR merlin -bike");
    await page.getByRole("button", { name: "Start collecting" }).click();
    await page.waitForURL(/\/insights\/\d+\/postings$/);
    // The first ones are announced, and shown when the reader wants them.
    await page
      .getByText(/new.* – show/)
      .first()
      .click();
    await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(0);
    expect((await page.getByRole("article").allTextContents()).join(" ")).not.toMatch(/\bbike\b/i);
  });

  it("keeps what was typed until its user says so", async () => {
    const page = await user.open("/insights/new?words=kestrel");
    expect(await query(page).inputValue()).toBe("kestrel");
    await query(page).fill("kestrel OR osprey");
    page.once("dialog", (dialog) => void dialog.dismiss());
    await page.getByRole("link", { name: "Exports" }).click();
    expect(await query(page).inputValue()).toBe("kestrel OR osprey");
  });
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";
import { enter, tabTo } from "./support/keyboard.js";

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

  it("is mended by the fixes that are proposed for words of other tools", async () => {
    const page = await user.open("/insights/new");
    await query(page).fill("kestrel AND merlin near/3 nest");
    await page.getByText("AND is understood.").waitFor();
    const fixes = page.getByRole("button", { name: "Fix", exact: true });
    expect(await fixes.count()).toBe(2);
    // Each fix is the whole as it should be.
    await fixes.first().click();
    await expect.poll(() => fixes.count()).toBe(0);
    expect(await query(page).inputValue()).toBe("kestrel merlin nest");
  });

  it("is made by keys alone, with the exclusion that marked misses propose", async () => {
    const page = await user.open("/insights");
    await page.keyboard.press("n");
    await page.waitForURL(/\/insights\/new/);
    await tabTo(page, query(page));
    await page.keyboard.type('kestrel OR "merlin');
    await page.getByText(/quote/i).first().waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await page.keyboard.type("kestrel OR merlin");
    await enter(page, page.getByRole("button", { name: "Look first" }));
    await page.waitForURL(/[?&]preview=\d+/);
    await page.getByText(/^[\d,]+ postings found\.$/).waitFor();
    // What is about the bike is not meant; the rest is.
    const texts = await page.getByRole("article").allTextContents();
    for (const text of texts) {
      await page.keyboard.press("j");
      await page.keyboard.press(/\bbike\b/i.test(text) ? "-" : "+");
    }
    const proposal = page.getByRole("button", { name: /^Add -/ });
    await enter(page, proposal);
    const kept = await query(page).inputValue();
    expect(kept).toMatch(/^kestrel OR merlin -/);
    await enter(page, page.getByRole("button", { name: "Start collecting" }));
    await page.waitForURL(/\/insights\/\d+\/postings$/);
    await enter(page, page.getByRole("button", { name: /new.* – show/ }));
    await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(0);
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

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";
import { countOf, numberIn } from "./support/counts.js";
import { enter, tabTo } from "./support/keyboard.js";

describe.skipIf(demo === undefined)("an unusual day", () => {
  const user = consoleUser();

  it("leads from home to its postings, of which a colleague sees the same", async () => {
    const page = await user.open("/");
    await page
      .getByText(/unusual day/)
      .first()
      .waitFor();
    await page
      .getByRole("link", { name: /^▲ .*usual/ })
      .first()
      .click();
    await page.waitForURL(/\/insights\/1\?/);
    const chosen = page
      .getByRole("region", { name: "Unusual" })
      .getByRole("listitem")
      .filter({ hasText: "Close" })
      .first();
    await chosen.getByText(/usually \d+/).waitFor();
    const show = chosen.getByRole("link", { name: /^Show [\d,]+ postings?$/ });
    const announced = numberIn(await show.textContent());
    await show.click();
    await page.waitForURL(/\/insights\/1\/postings\?/);
    expect(await countOf(page)).toBe(announced);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("dialog").getByLabel("negative").first().check();
    await page.getByRole("button", { name: "Show postings" }).click();
    await page.waitForURL(/polarity=negative/);
    await expect.poll(() => countOf(page)).toBeLessThan(announced);
    const negative = await countOf(page);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    const colleague = await user.open(link.pathname + link.search);
    expect(await countOf(colleague)).toBe(negative);
  });

  it("leads there by keys alone", async () => {
    const page = await user.open("/");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await enter(page, page.getByRole("link", { name: /^▲ .*usual/ }));
    await page.waitForURL(/\/insights\/1\?/);
    const show = page.getByRole("link", { name: /^Show [\d,]+ postings?$/ }).first();
    await show.waitFor();
    const announced = numberIn(await show.textContent());
    await enter(page, show);
    await page.waitForURL(/\/insights\/1\/postings\?/);
    expect(await countOf(page)).toBe(announced);
    await page.keyboard.press("f");
    const dialog = page.getByRole("dialog", { name: "Filters" });
    await tabTo(page, dialog.getByRole("checkbox", { name: "negative" }));
    await page.keyboard.press("Space");
    await enter(page, dialog.getByRole("button", { name: "Show postings" }));
    await page.waitForURL(/polarity=negative/);
    await expect.poll(() => countOf(page)).toBeLessThan(announced);
    const negative = await countOf(page);
    await enter(page, page.getByRole("button", { name: "Copy link" }));
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    const colleague = await user.open(link.pathname + link.search);
    expect(await countOf(colleague)).toBe(negative);
  });

  it("is looked for in earlier and later periods by keys", async () => {
    const page = await user.open("/insights/1?from=2026-01-03&to=2026-01-04");
    await page.getByRole("link", { name: "Period earlier" }).waitFor();
    await page.keyboard.press("[");
    await page.waitForURL(/from=2026-01-01&to=2026-01-02/);
    await page.keyboard.press("]");
    await page.waitForURL(/from=2026-01-03&to=2026-01-04/);
  });

  it("shows a value of the address that it does not know, and works without it", async () => {
    const page = await user.open("/insights/1?polarity=negative,angry&platform=myspace&interval=decade");
    for (const value of ["angry", "myspace", "decade"]) await page.getByText(value).first().waitFor();
    await page
      .getByText(/% negative/)
      .first()
      .waitFor();
  });

  it("is exported with exactly these filters, and the file has what was counted", async () => {
    const page = await user.open("/insights/1/postings?polarity=negative");
    const negative = await countOf(page);
    await page.locator("main").getByRole("link", { name: "Export", exact: true }).click();
    await page.waitForURL(/\/exports\?.*new=1/);
    await page.getByText(`It will hold ${negative} postings.`).waitFor();
    await page.getByRole("button", { name: "Start the export" }).click();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /^csv / }).first().click();
    const rows = (await readFile(await (await saved).path(), "utf8")).split("\r\n").filter(Boolean);
    expect(rows.length).toBeGreaterThan(negative);
  });
});

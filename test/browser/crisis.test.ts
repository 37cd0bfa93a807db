import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";

describe.skipIf(demo === undefined)("an unusual day", () => {
  const user = consoleUser();

  /** The number in a text such as "182 postings". */
  const numberIn = (text: string | null): number => Number(/[\d,]+/.exec(text ?? "")?.[0].replaceAll(",", ""));
  const countOf = async (page: Page): Promise<number> => {
    const total = page.getByText(/^[\d,]+ postings?$/).first();
    await total.waitFor();
    return numberIn(await total.textContent());
  };

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
    const show = page.getByRole("link", { name: /^Show [\d,]+ postings?$/ }).first();
    await show.waitFor();
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
    const colleague = await user.open(new URL(page.url()).pathname + new URL(page.url()).search);
    expect(await countOf(colleague)).toBe(negative);
  });

  it("is looked for in earlier and later periods by keys", async () => {
    const page = await user.open("/insights/1?from=2026-01-03&to=2026-01-04");
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

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";

describe.skipIf(demo === undefined)("the documentation", () => {
  const user = consoleUser();

  async function open(address: string): Promise<Page> {
    const page = await (await user.window()).newPage();
    await page.goto(user.demo.url + address);
    return page;
  }

  it("is searched, and read in the dark", async () => {
    const page = await open("/docs/");
    await page.getByRole("heading", { name: "Documentation", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("sentiment");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/[a-z-]+(\/[a-z]+)?(#.*)?$/);
    await expect.poll(() => page.locator("main").textContent()).toMatch(/sentiment/i);
    await page.getByRole("switch", { name: /dark/i }).first().click();
    await expect.poll(() => page.evaluate(() => document.documentElement.className)).toContain("dark");
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.className)).toContain("dark");
  });

  it("has the reference beside it", async () => {
    const page = await open("/docs/faq");
    await page.getByRole("link", { name: "API reference" }).first().click();
    await page.waitForURL(/\/docs\/api$/);
    await page.locator(".opblock").first().waitFor();
  });

  it("leads back to the console", async () => {
    const page = await open("/docs/platforms/x");
    await page.getByRole("link", { name: "Console", exact: true }).first().click();
    await page.getByLabel("E-mail").waitFor();
  });

  it("has a page for addresses without one", async () => {
    const page = await open("/docs/nothing");
    await page.getByText("PAGE NOT FOUND").waitFor();
  });
});

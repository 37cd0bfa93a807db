import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import type { AxeResults } from "axe-core";
import { describe, expect, it } from "vitest";
import { DIALOGS, SCREENS } from "./support/addresses.js";
import { analyzedPhoto, analyzedTexts } from "./support/analyses.js";
import { consoleUser, demo } from "./support/console-page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The rules of WCAG 2.2 A and AA, and what the makers of the tool advise beside them. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const WIDTHS = [1280, 390, 320];

/** What a screen has to be before it is looked at. */
const RESULTS = [
  { name: "a result of texts", make: analyzedTexts, shown: "mark" },
  { name: "a result of a photo", make: analyzedPhoto, shown: "figure svg, [data-box], img" },
] as const;

describe.skipIf(demo === undefined)("every screen can be used by everybody", () => {
  const user = consoleUser();

  /** Looks at what a page shows in both themes and all widths. */
  async function isFine(page: Page): Promise<void> {
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await settled(page);
        const look = `${theme}, ${width} px`;
        expect(await violationsOf(page), look).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), look).toBeLessThanOrEqual(width);
      }
    }
  }

  it.each(SCREENS)("$name", async ({ path }) => {
    const isOpen = path.startsWith("/sign-in");
    const page = isOpen ? await (await user.window()).newPage() : await user.open(path);
    if (isOpen) await page.goto(user.demo.url + path);
    await isFine(page);
  });

  it.each(DIALOGS)("$name", async ({ path, prepare }) => {
    const page = await user.open(path);
    await settled(page);
    await prepare?.(page);
    await isFine(page);
  });

  it.each(RESULTS)("$name", async ({ make, shown }) => {
    const page = await user.open(await make(user.demo));
    await page.locator(shown).first().waitFor();
    await isFine(page);
  });

  it("the tool finds what is wrong", async () => {
    const page = await user.open("/settings/account");
    await page.evaluate(() => document.querySelector("main")?.append(document.createElement("img")));
    expect(await violationsOf(page)).toEqual([expect.stringContaining("image-alt")]);
  });
});

/** Waits until everything that the screen reads is shown. */
async function settled(page: Page): Promise<void> {
  await page.locator("h1").waitFor();
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
}

async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (values) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly: { type: "tag", values },
      }),
    RULES,
  );
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}

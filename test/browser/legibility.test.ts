import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { SCREENS } from "./support/addresses.js";
import { analyzedPhoto, analyzedTexts } from "./support/analyses.js";
import { consoleUser, demo } from "./support/console-page.js";

const SIGNED_IN = SCREENS.filter(({ name }) => name !== "sign-in");
/** The size of texts that a browser is set to by people who want them twice as large as usual. In pixels. */
const LARGE = 32;

/** Waits until everything that the screen reads is shown. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
}

describe.skipIf(demo === undefined)("texts of twice the size", () => {
  const user = consoleUser({ textSize: LARGE });

  it.each([
    ...SIGNED_IN.map(({ name, path }) => ({ name, make: () => Promise.resolve(path) })),
    { name: "a result of texts", make: () => analyzedTexts(user.demo) },
    { name: "a result of a photo", make: () => analyzedPhoto(user.demo) },
  ])("are whole on $name", async ({ make }) => {
    const page = await user.open(await make());
    expect(await page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))).toBe(
      LARGE * 0.9375,
    );
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width} px`).toBeLessThanOrEqual(width);
      expect(await cutWords(page), `${width} px`).toEqual([]);
    }
  });

  it("are missed where they are cut", async () => {
    const page = await user.open("/");
    await page.evaluate(() => {
      const heading = document.querySelector("h1");
      if (heading !== null) Object.assign(heading.style, { width: "2rem", overflow: "hidden", whiteSpace: "nowrap" });
    });
    expect(await cutWords(page)).toEqual([expect.stringContaining("Home")]);
  });
});

/**
 * What is not shown of words: a box that hides what does not fit, or a button whose words are wider than itself. An ellipsis says
 * that there is more.
 */
async function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasWords = (element: Element): boolean =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "");
    return [...document.querySelectorAll("body *")]
      .filter((element) => {
        const { display, overflowX, overflowY, textOverflow, webkitLineClamp, clipPath } = getComputedStyle(element);
        // For those who do not see the screen.
        if (!hasWords(element) || clipPath !== "none" || element.getClientRects().length === 0) return false;
        const isWide = element.scrollWidth > element.clientWidth + 1;
        const isHigh = element.scrollHeight > element.clientHeight + 1;
        // Links that look like buttons are laid out as those are.
        if (element.matches("button, a") && display === "inline-flex") return isWide || isHigh;
        if (textOverflow === "ellipsis" || webkitLineClamp !== "none") return false;
        const hides = (value: string): boolean => value === "hidden" || value === "clip";
        return element.clientWidth > 0 && ((isWide && hides(overflowX)) || (isHigh && hides(overflowY)));
      })
      .map((element) => `${element.tagName.toLowerCase()}: ${element.textContent.trim()}`);
  });
}

describe.skipIf(demo === undefined)("colors of the system", () => {
  const user = consoleUser();

  describe.each(["light", "dark"] as const)("of a %s theme", (theme) => {
    it("leave the series, its gaps and its parts apart", async () => {
      const page = await user.open("/insights/1", { theme, isForced: true });
      const plot = page.getByRole("application", { name: /^Postings by day/ });
      await plot.waitFor();
      await settled(page);
      const colors = await colorsOf(plot);
      // Most is background: also where nothing was collected.
      expect(colors[0]?.share).toBeGreaterThan(0.5);
      // Texts and lines have no hue in either theme; positive and negative parts have theirs.
      expect(
        new Set(colors.filter(hasHue).map(({ color }) => (color >> 16 > (color & 0xff) ? "warm" : "cold"))),
      ).toEqual(new Set(["warm", "cold"]));
    });

    it("leave bars, bands and the chosen tab in sight", async () => {
      const page = await user.open("/insights/1/collection", { theme, isForced: true });
      const row = page.getByText(/^News: \d+% of the time/).locator("xpath=..");
      await row.waitFor();
      expect((await colorsOf(row)).find(hasHue)?.share).toBeGreaterThan(0.1);
      const tabs = page.getByRole("navigation", { name: "Parts of this insight" });
      const [chosen, other] = await Promise.all(
        ["Collection", "Postings"].map((name) =>
          tabs.getByRole("link", { name }).evaluate((tab) => getComputedStyle(tab).backgroundColor),
        ),
      );
      expect(chosen).not.toBe(other);
    });

    it("leave the focus in sight", async () => {
      const page = await user.open("/insights/1/postings", { theme, isForced: true });
      const button = page.getByRole("button", { name: "Filters" });
      await settled(page);
      const around = async (): Promise<Buffer> => {
        const box = (await button.boundingBox()) ?? expect.fail("the button is not shown");
        return page.screenshot({
          clip: { x: box.x - 6, y: box.y - 6, width: box.width + 12, height: box.height + 12 },
        });
      };
      const before = await around();
      await page.getByRole("searchbox").focus();
      await page.keyboard.press("Tab");
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await differingShare(before, await around())).toBeGreaterThan(0.05);
    });
  });
});

/** A color of which less is shown is an edge of letters. */
const SHARE_MIN = 0.004;

interface Color {
  /** Red, green and blue in a byte each. */
  readonly color: number;
  /** Of the pixels. */
  readonly share: number;
}

/** The colors of a part of the screen, those of the largest parts first. */
async function colorsOf(part: Locator): Promise<Color[]> {
  const pixels = await pixelsOf(await part.screenshot());
  const counts = new Map<number, number>();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  return [...counts]
    .map(([color, count]) => ({ color, share: count / pixels.length }))
    .filter(({ share }) => share >= SHARE_MIN)
    .sort((one, other) => other.share - one.share);
}

/** Whether it is no gray. */
function hasHue({ color }: Color): boolean {
  const channels = [color >> 16, (color >> 8) & 0xff, color & 0xff];
  return Math.max(...channels) - Math.min(...channels) > 60;
}

async function differingShare(before: Buffer, after: Buffer): Promise<number> {
  const [one, other] = [await pixelsOf(before), await pixelsOf(after)];
  return one.filter((color, at) => color !== other[at]).length / one.length;
}

async function pixelsOf(picture: Buffer): Promise<number[]> {
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return Array.from({ length: data.length / 3 }, (_, at) => data.readUIntBE(at * 3, 3));
}

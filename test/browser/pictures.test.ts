import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";
import { distanceOf } from "./support/picture-distance.js";

const FOLDER = fileURLToPath(new URL("../../docs/pictures", import.meta.url));
/** The pictures of the documentation are made again with `UPDATE_PICTURES=1 npm run test:browser -- pictures`. */
const IS_UPDATE = process.env["UPDATE_PICTURES"] === "1";
/**
 * How far a screen may be from its picture. Measured: 0.03 at most with other numbers, days and postings; 0.065 and more without
 * its table or its chart, or without styles.
 */
const DISTANCE_MAX = 0.05;

const TEXT = "I love the new museum in Lisbon! The rooms are bright, but the queue at the entrance made me furious.";

interface Pictured {
  readonly name: string;
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
}

const OVERVIEW: Pictured = {
  name: "overview",
  path: "/insights/1",
  prepare: (page) => page.locator("main canvas").first().waitFor(),
};
const SCREENS: readonly Pictured[] = [
  { name: "home", path: "/" },
  { name: "insights", path: "/insights" },
  {
    name: "new-insight",
    path: "/insights/new?words=kestrel%20OR%20merlin%20-bike",
    prepare: (page) =>
      page
        .getByText(/without/)
        .first()
        .waitFor(),
  },
  OVERVIEW,
  { name: "postings", path: "/insights/1/postings?polarity=negative", prepare: chooseFirst },
  { name: "collection", path: "/insights/1/collection" },
  { name: "analysis", path: "/analyses/new", prepare: analyze },
  { name: "models", path: "/settings/models#topic" },
];

async function chooseFirst(page: Page): Promise<void> {
  await page.getByRole("article").first().waitFor();
  await page.keyboard.press("j");
  await page.waitForURL(/[?&]posting=/);
  await page.getByRole("button", { name: "Why?" }).waitFor();
}

async function analyze(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: /text/i }).first().fill(TEXT);
  await page.getByRole("button", { name: /^Analyze/ }).click();
  await page.locator("mark").first().waitFor();
}

describe.skipIf(demo === undefined)("a picture of the documentation", () => {
  const user = consoleUser();

  async function shown({ path, prepare }: Pictured): Promise<Page> {
    const page = await user.open(path, { height: 900 });
    await prepare?.(page);
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
    await page.waitForLoadState("networkidle");
    return page;
  }

  it.each(SCREENS)("shows $name as it is", async (screen) => {
    const taken = await (await shown(screen)).screenshot();
    const file = `${FOLDER}/${screen.name}.webp`;
    if (IS_UPDATE) {
      await mkdir(FOLDER, { recursive: true });
      await writeFile(file, await sharp(taken).webp({ quality: 90, effort: 6 }).toBuffer());
    }
    expect(await distanceOf(taken, await readFile(file))).toBeLessThan(DISTANCE_MAX);
  });

  it.each([
    ["without its chart", () => void document.querySelector("canvas")?.style.setProperty("visibility", "hidden")],
    ["without styles", () => document.querySelectorAll("link[rel=stylesheet]").forEach((link) => link.remove())],
    ["without its menu", () => document.querySelector("nav")?.remove()],
  ])("does not look like a screen %s", async (_what, spoil) => {
    const page = await shown(OVERVIEW);
    await page.evaluate(spoil);
    const picture = await readFile(`${FOLDER}/overview.webp`);
    expect(await distanceOf(await page.screenshot(), picture)).toBeGreaterThan(DISTANCE_MAX);
  });
});

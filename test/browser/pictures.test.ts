import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { consoleUser, demo } from "./support/console-page.js";

const FOLDER = fileURLToPath(new URL("../../docs/pictures", import.meta.url));
/** The pictures of the documentation are made again with `UPDATE_PICTURES=1 npm run test:browser -- pictures`. */
const IS_UPDATE = process.env["UPDATE_PICTURES"] === "1";
/** A picture with less on it is of an empty page, or of one that is not loaded. */
const COLORS_MIN = 50;

const TEXT = "I love the new museum in Lisbon! The rooms are bright, but the queue at the entrance made me furious.";

interface Pictured {
  readonly name: string;
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
}

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
  { name: "overview", path: "/insights/1" },
  { name: "postings", path: "/insights/1/postings?polarity=negative", prepare: (page) => page.keyboard.press("j") },
  { name: "collection", path: "/insights/1/collection" },
  { name: "analysis", path: "/analyses/new", prepare: analyze },
  { name: "models", path: "/settings/models#topic" },
];

async function analyze(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: /text/i }).first().fill(TEXT);
  await page.getByRole("button", { name: /^Analyze/ }).click();
  await page.locator("mark").first().waitFor();
}

describe.skipIf(demo === undefined)("a picture of the documentation", () => {
  const user = consoleUser();

  it.each(SCREENS)("shows $name", async ({ name, path, prepare }) => {
    const page = await user.open(path, { height: 900 });
    await prepare?.(page);
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
    await page.waitForLoadState("networkidle");
    const taken = await page.screenshot();
    const { data } = await sharp(taken).raw().toBuffer({ resolveWithObject: true });
    const colors = new Set(Array.from({ length: data.length / 3 }, (_, at) => data.readUIntBE(at * 3, 3)));
    expect(colors.size).toBeGreaterThan(COLORS_MIN);
    if (!IS_UPDATE) return;
    await mkdir(FOLDER, { recursive: true });
    await writeFile(`${FOLDER}/${name}.webp`, await sharp(taken).webp({ quality: 90, effort: 6 }).toBuffer());
  });
});

import type { Locator, Page } from "playwright-core";

/** More places than a screen has. */
const PLACES_MAX = 150;

/** Presses Tab until something has the focus, as people without a mouse do. Throws if it cannot be reached so. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await target.first().waitFor();
  for (let places = 0; places < PLACES_MAX; places++) {
    if (await target.first().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${target.toString()}`);
}

/** Reaches a link or button by Tab, and presses it. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

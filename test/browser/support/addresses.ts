import type { Page } from "playwright-core";

/** A screen of the console, or something that opens over it, with the data of the demo. */
export interface Shown {
  readonly name: string;
  readonly path: string;
  /** Brings it to what is meant. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** The screens by name. */
export const SCREENS: readonly Shown[] = [
  { name: "sign-in", path: "/sign-in" },
  { name: "home", path: "/" },
  { name: "insights", path: "/insights" },
  { name: "a new insight", path: "/insights/new?from=3" },
  { name: "an insight", path: "/insights/1" },
  {
    name: "an insight, filtered",
    path: "/insights/1?polarity=negative&platform=reddit,news&spam=hide&emotion=ange",
  },
  { name: "postings", path: "/insights/1/postings?polarity=negative" },
  { name: "collection", path: "/insights/1/collection" },
  { name: "analyses", path: "/analyses" },
  { name: "a new analysis of texts", path: "/analyses/new" },
  { name: "a new analysis of files", path: "/analyses/new?type=files" },
  { name: "exports", path: "/exports" },
  { name: "a new export", path: "/exports?new=1&insight=1&polarity=negative" },
  { name: "account", path: "/settings/account" },
  { name: "API keys", path: "/settings/keys" },
  { name: "users", path: "/settings/users" },
  { name: "platforms", path: "/settings/platforms#twitter" },
  { name: "models", path: "/settings/models#topic" },
  { name: "server", path: "/settings/server" },
  { name: "no such page", path: "/nothing" },
];

const dialog = (page: Page): Promise<void> => page.getByRole("dialog").first().waitFor();

/** Opens what a key opens. */
const byKey =
  (key: string) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press(key);
    await dialog(page);
  };

/** Opens what a button opens. */
const byButton =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole("button", { name }).first().click();
    await dialog(page);
  };

/** What opens over screens. */
export const DIALOGS: readonly Shown[] = [
  { name: "the palette", path: "/", prepare: byKey("Control+k") },
  { name: "the keys of a screen", path: "/insights/1/postings", prepare: byKey("?") },
  { name: "the filters", path: "/insights/1/postings", prepare: byKey("f") },
  { name: "the period", path: "/insights/1", prepare: byButton(/\(UTC\)$/) },
  { name: "how to write a query", path: "/insights/new", prepare: byButton("How to write a query") },
  { name: "a new key", path: "/settings/keys", prepare: byKey("n") },
  { name: "a new user", path: "/settings/users", prepare: byKey("n") },
  {
    name: "erasing a posting",
    path: "/insights/1/postings?platform=reddit",
    prepare: async (page) => {
      await page.keyboard.press("j");
      await byButton("Erase posting…")(page);
    },
  },
  {
    name: "why a posting has its labels",
    path: "/insights/1/postings?polarity=negative",
    prepare: async (page) => {
      await page.keyboard.press("j");
      await page.getByRole("button", { name: "Why?" }).click();
      await page.locator("mark").first().waitFor();
    },
  },
];

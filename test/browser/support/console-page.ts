import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { LIMITS } from "../../support/limits.js";
import { findChromium } from "../../support/chromium.js";
import type { Demo } from "../../support/demo.js";

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
}

/** What the browser says about answers of the server that are no success: the console shows them in its own words. */
const FAILED_ANSWER = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** A user of the console, in windows of their own. */
export interface ConsoleUser {
  readonly demo: Demo;
  /** A window that has not signed in. */
  window(look?: Look): Promise<BrowserContext>;
  /** A page that has signed in, at an address of the console. */
  open(path: string, look?: Look): Promise<Page>;
  /** Signs in at a page that shows the form. */
  signIn(page: Page): Promise<void>;
  /** Expects messages that a test causes; everything else that the browser says fails the test. */
  expects(pattern: RegExp): void;
}

/** The demo; tests are skipped where there is no browser. */
export const demo = inject("demo");

/**
 * Opens pages of the console for the tests of a file. After each test, nothing may have been said by the browser: no message of
 * the console, no violation of the policy, no unhandled failure.
 */
export function consoleUser(): ConsoleUser {
  let browser: Browser | undefined;
  const contexts = new Set<BrowserContext>();
  const said: string[] = [];
  const expected: RegExp[] = [];

  beforeAll(async () => {
    const executablePath = findChromium();
    if (demo === undefined || executablePath === undefined) return;
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterEach(async () => {
    for (const context of contexts) await context.close();
    contexts.clear();
    const unexpected = said.filter((line) => !expected.some((pattern) => pattern.test(line)));
    said.length = 0;
    expected.length = 0;
    expect(unexpected).toEqual([]);
  });
  afterAll(() => browser?.close());

  async function window({ width = 1280, height = 800, theme = "light" }: Look = {}): Promise<BrowserContext> {
    if (browser === undefined) throw new Error("There is no browser.");
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: "reduce",
      locale: "en-US",
      acceptDownloads: true,
    });
    context.setDefaultTimeout(LIMITS.condition);
    contexts.add(context);
    context.on("console", (message) => {
      const text = message.text();
      if (!FAILED_ANSWER.test(text)) said.push(`${message.type()}: ${text}`);
    });
    context.on("weberror", (error) => said.push(`unhandled: ${error.error().message}`));
    return context;
  }

  async function signIn(page: Page): Promise<void> {
    const { email, password } = demo ?? { email: "", password: "" };
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
  }

  return {
    demo: demo ?? { url: "", email: "", password: "" },
    window,
    signIn,
    expects: (pattern) => void expected.push(pattern),
    open: async (path, look) => {
      const page = await (await window(look)).newPage();
      await page.goto(`${demo?.url ?? ""}/sign-in?next=${encodeURIComponent(path)}`);
      await signIn(page);
      await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
      await page.locator("main h1").waitFor();
      return page;
    },
  };
}

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import { LIMITS } from "../../support/limits.js";
import { findChromium } from "../../support/chromium.js";
import type { Demo } from "../../support/demo.js";

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** The system's few colors instead of those of pages, for people who need the contrast. */
  readonly isForced?: boolean;
}

interface UserOptions {
  /** Where it signs in. */
  readonly server?: () => Demo;
  /** The size of texts that the browser is set to, in pixels; 16 unless it is changed. */
  readonly textSize?: number;
}

/** What the browser says about answers of the server that are no success: the console shows them in its own words. */
const FAILED_ANSWER = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** A user of the console, in windows of their own. */
export interface ConsoleUser {
  readonly demo: Demo;
  /** A window that has not signed in. */
  window(look?: Look): Promise<BrowserContext>;
  /** A page that has signed in, at an address of the console. */
  open(address: string, look?: Look): Promise<Page>;
  /** Signs in at a page that shows the form. */
  signIn(page: Page): Promise<void>;
  /** Expects messages that a test causes; everything else that the browser says fails the test. */
  expects(pattern: RegExp): void;
}

/** The demo; tests are skipped where there is no browser. */
export const demo = inject("demo");

const PICTURE_MS = 10_000;
const NOWHERE: Demo = { url: "", email: "", password: "" };

/**
 * Opens pages of the console for the tests of a file, of the demo unless they name another server. After each test, nothing may
 * have been said by the browser: no message of the console, no violation of the policy, no unhandled failure.
 */
export function consoleUser({ server = () => demo ?? NOWHERE, textSize }: UserOptions = {}): ConsoleUser {
  let browser: Browser | undefined;
  const contexts = new Set<BrowserContext>();
  const said: string[] = [];
  const expected: RegExp[] = [];

  beforeAll(async () => {
    const executablePath = findChromium();
    if (demo === undefined || executablePath === undefined) return;
    const size = textSize === undefined ? [] : [`--blink-settings=defaultFontSize=${textSize}`];
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", ...size] });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await picture(task.name, [...contexts]);
    for (const context of contexts) await context.close();
    contexts.clear();
    const unexpected = said.filter((line) => !expected.some((pattern) => pattern.test(line)));
    said.length = 0;
    expected.length = 0;
    expect(unexpected).toEqual([]);
  });
  afterAll(() => browser?.close());

  async function window(look: Look = {}): Promise<BrowserContext> {
    if (browser === undefined) throw new Error("There is no browser.");
    const { width = 1280, height = 800, theme = "light", isForced = false } = look;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      forcedColors: isForced ? "active" : "none",
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
    const { email, password } = server();
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
  }

  return {
    get demo() {
      return server();
    },
    window,
    signIn,
    expects: (pattern) => void expected.push(pattern),
    open: async (address, look) => {
      const page = await (await window(look)).newPage();
      await page.goto(`${server().url}/sign-in?next=${encodeURIComponent(address)}`);
      await signIn(page);
      await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
      await page.locator("main h1").waitFor();
      return page;
    },
  };
}

/** Leaves pictures of what a failed test saw, and says where they are. */
async function picture(test: string, contexts: readonly BrowserContext[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-failed-test-"));
  const pages = contexts.flatMap((context) => context.pages());
  // A page that is closed, or that hangs, has no picture.
  await Promise.allSettled(
    pages.map((page, at) => page.screenshot({ path: path.join(folder, `${at + 1}.png`), timeout: PICTURE_MS })),
  );
  process.stderr.write(`Pictures of "${test}", which failed: ${folder}\n`);
}

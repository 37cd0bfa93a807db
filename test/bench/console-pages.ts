import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from "playwright-core";
import { findChromium } from "../support/chromium.js";
import type { Demo } from "../support/demo.js";
import { signIn } from "./child.js";

const MISSING =
  "\n!!! NOT MEASURED: the web console. There is no Chromium here: install one (apt install chromium), or set CHROMIUM_PATH.\n\n";

/** The system's Chromium; undefined, loudly, if there is none. */
export async function openChromium(): Promise<Browser | undefined> {
  const executablePath = findChromium();
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: ["--no-sandbox"] });
  process.stderr.write(MISSING);
  return undefined;
}

/** A page of the console, with what only the protocol of the browser tells. */
export interface ConsolePage {
  readonly page: Page;
  readonly protocol: CDPSession;
  close(): Promise<void>;
}

export class ConsolePages {
  private constructor(
    private readonly browser: Browser,
    private readonly demo: Demo,
    private readonly session: string,
  ) {}

  /** Signs in once, for all pages. */
  static async open(browser: Browser, demo: Demo): Promise<ConsolePages> {
    const { url, email, password } = demo;
    const authorization = await signIn(url, email, password);
    const { id } = (await (await fetch(`${url}/api/v2/me`, { headers: { authorization } })).json()) as { id: number };
    const token = authorization.replace(/^Bearer /i, "");
    return new ConsolePages(browser, demo, JSON.stringify({ token, account: { id, email } }));
  }

  /** A window that has loaded nothing yet. `isKnown`: somebody has signed in, and wants to stay so in this tab. */
  async page(isKnown = true): Promise<ConsolePage> {
    const context: BrowserContext = await this.browser.newContext({
      baseURL: this.demo.url,
      viewport: { width: 1280, height: 800 },
      locale: "en-US",
    });
    const page = await context.newPage();
    if (isKnown)
      await page.addInitScript(`sessionStorage.setItem("hourglass.session", ${JSON.stringify(this.session)})`);
    return { page, protocol: await context.newCDPSession(page), close: () => context.close() };
  }
}

/** Bytes that scripts of the page hold, once nothing is left to be collected. */
export async function heapOf({ protocol }: Pick<ConsolePage, "protocol">): Promise<number> {
  await protocol.send("HeapProfiler.enable");
  // What a finalizer frees is collected the second time.
  for (let round = 0; round < 2; round++) await protocol.send("HeapProfiler.collectGarbage");
  return (await protocol.send("Runtime.getHeapUsage")).usedSize;
}

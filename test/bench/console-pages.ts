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
    private readonly authorization: string,
    private readonly account: { readonly id: number; readonly email: string },
  ) {}

  /** Signs in once, for all pages. */
  static async open(browser: Browser, demo: Demo): Promise<ConsolePages> {
    const { url, email, password } = demo;
    const authorization = await signIn(url, email, password);
    const { id } = (await (await fetch(`${url}/api/v2/me`, { headers: { authorization } })).json()) as { id: number };
    return new ConsolePages(browser, demo, authorization, { id, email });
  }

  /** Resolves once an insight has so many postings, all of them analyzed. */
  async untilAnalyzed(insight: number, postings: number): Promise<void> {
    const { authorization, demo } = this;
    for (;;) {
      const response = await fetch(`${demo.url}/api/v2/products/insight/${insight}`, { headers: { authorization } });
      const { posting_count: found = 0, unanalysed_count: waiting = 0 } = (await response.json()) as Record<
        string,
        number
      >;
      if (found >= postings && waiting === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }

  /** A window that has loaded nothing yet. `isKnown`: somebody has signed in, and wants to stay so in this tab. */
  async page(isKnown = true): Promise<ConsolePage> {
    const context: BrowserContext = await this.browser.newContext({
      baseURL: this.demo.url,
      viewport: { width: 1280, height: 800 },
      locale: "en-US",
    });
    const page = await context.newPage();
    const session = JSON.stringify({ token: this.authorization.replace(/^Bearer /i, ""), account: this.account });
    if (isKnown) await page.addInitScript(`sessionStorage.setItem("hourglass.session", ${JSON.stringify(session)})`);
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

/**
 * Runs something and returns what it returns, with the longest task of the main thread of pages: by the processor time that
 * it took, in milliseconds, which other work on the computer does not lengthen.
 */
export async function longestTask<T>(
  { protocol }: Pick<ConsolePage, "protocol">,
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly longestMs: number }> {
  const longest = new Map<string, number>();
  const mainThreads = new Set<string>();
  protocol.on("Tracing.dataCollected", ({ value }) => {
    for (const { name, pid, tid, tdur, args } of value as unknown as readonly TraceEvent[]) {
      const thread = `${pid} ${tid}`;
      if (name === "thread_name" && args?.name === "CrRendererMain") mainThreads.add(thread);
      if (tdur !== undefined) longest.set(thread, Math.max(tdur, longest.get(thread) ?? 0));
    }
  });
  await protocol.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel"] },
    transferMode: "ReportEvents",
  });
  const result = await run();
  const complete = new Promise((resolve) => protocol.once("Tracing.tracingComplete", resolve));
  await protocol.send("Tracing.end");
  await complete;
  const micros = Math.max(...[...mainThreads].map((thread) => longest.get(thread) ?? 0));
  return { result, longestMs: micros / 1_000 };
}

/** Of the events of Chromium, what is read of them. Durations in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

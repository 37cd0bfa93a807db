import path from "node:path";
import { type DemoOptions, startDemo } from "../support/demo.js";
import { ROOT } from "./child.js";
import { ConsolePages, heapOf, longestTask, openChromium, type ConsolePage } from "./console-pages.js";
import { yearSummary } from "./console-summary.js";
import { median, type Measurement } from "./measure.js";

/** Of the feed; the first tenth is what it is compared with. */
const POSTINGS = Number(process.env["BENCH_FEED_POSTINGS"] ?? 10_000);
/** The demo publishes some that no insight looks for. */
const PUBLISHED = 1.1;
const READY_MS = 900_000;
/** What has not happened by then does not. */
const GIVE_UP_MS = 60_000;
const ROUNDS = 5;
const SLOWED = 4;
const MINUTES = 60;
const MEGABYTE = 1e6;

/** Screens of the web console in Chromium: first visits, and the overview of a year. */
export function measureConsoleScreens(): Promise<Measurement[]> {
  return onDemo({ postings: 500, perMinute: 0 }, async (pages) => [
    ...(await measureFirstVisits(pages)),
    await measureYear(pages),
  ]);
}

/** A feed of thousands of postings, scrolled from end to end. */
export function measureConsoleFeed(): Promise<Measurement[]> {
  return onDemo({ postings: Math.ceil(POSTINGS * PUBLISHED), perMinute: 0 }, async (pages) => {
    await pages.untilAnalyzed(1, POSTINGS);
    return measureFeed(pages);
  });
}

/** Pages that stay open for an hour, while postings come twenty times as often as the demo usually has them. */
export function measureConsoleHour(): Promise<Measurement[]> {
  return onDemo({ postings: 500, perMinute: 600 }, measureHour);
}

async function onDemo(
  published: Pick<DemoOptions, "postings" | "perMinute">,
  measure: (pages: ConsolePages) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const browser = await openChromium();
  if (browser === undefined) return [];
  try {
    const entry = path.join(ROOT, "services/demo/dist/main.js");
    const { demo, stop } = await startDemo({ entry, limitMs: READY_MS, ...published });
    try {
      return await measure(await ConsolePages.open(browser, demo));
    } finally {
      await stop();
    }
  } finally {
    await browser.close();
  }
}

/** Resolves `window.found`, in the frame after `look` has returned something, with what `measure` makes of it. */
const whenFound = (look: string, measure = "() => performance.now()") => `
  window.found = new Promise((resolve, reject) => {
    const frame = () => {
      const found = (${look})();
      if (performance.now() > ${GIVE_UP_MS}) reject(new Error("It is not there."));
      requestAnimationFrame(() => found ? setTimeout(() => resolve((${measure})())) : frame());
    };
    frame();
  });
`;

/** Effects listen to keys a frame after the heading is there, so the key is pressed until it acts. */
const KEYS_ACT = `() => {
  if (document.querySelector("main h1") === null) return false;
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
  return document.querySelector("dialog[open]") !== null;
}`;
const TAKES_LETTERS = `() => {
  const field = document.querySelector("input[name=email]");
  if (field === null) return false;
  field.value = "a";
  return field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}`;
const IS_LOADED = `() => document.readyState === "complete"`;
/** The plot, whose library is loaded with it, and the last figure. */
const IS_WHOLE = `() => document.querySelector("main canvas") !== null &&
  [...document.querySelectorAll("main h2")].some(({ textContent }) => textContent === "Platforms by day")`;
const SINCE_ANSWER = `() => {
  const answers = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/summary?"));
  return performance.now() - answers.at(-1).responseEnd;
}`;

interface Visit {
  readonly name: string;
  readonly path: string;
  readonly isKnown: boolean;
  readonly script: string;
}

const VISITS: readonly Visit[] = [
  { name: "/sign-in", path: "/sign-in", isKnown: false, script: whenFound(TAKES_LETTERS) },
  { name: "home", path: "/", isKnown: true, script: whenFound(KEYS_ACT) },
];
const WITHOUT_SCRIPT: Visit = {
  name: "the page without its script",
  path: "/sign-in",
  isKnown: false,
  script: whenFound(IS_LOADED),
};

/** First visits, with nothing kept by the browser, in turns with the same page without its script. */
async function measureFirstVisits(pages: ConsolePages): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const visit of VISITS) {
    const [times, still]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      times.push(await visited(pages, visit));
      still.push(await visited(pages, WITHOUT_SCRIPT));
    }
    const [ms, staticMs] = [median(times), median(still)];
    rows.push({
      name: `console, first visit of ${visit.name} until it responds, processor slowed ${SLOWED} times`,
      value: `${ms.toFixed(0)} ms`,
      baseline: `${WITHOUT_SCRIPT.name} ${staticMs.toFixed(0)} ms`,
      ratio: ms / staticMs,
      target: "≤ 1500 ms, ≤ 3.00",
    });
  }
  return rows;
}

async function visited(pages: ConsolePages, visit: Visit): Promise<number> {
  const opened = await pages.page(visit.isKnown);
  try {
    const { page, protocol } = opened;
    if (visit === WITHOUT_SCRIPT) {
      await protocol.send("Network.enable");
      await protocol.send("Network.setBlockedURLs", { urls: ["*.js"] });
    }
    await protocol.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
    await page.addInitScript(visit.script);
    await page.goto(visit.path, { waitUntil: "commit" });
    return await page.evaluate<number>("window.found");
  } finally {
    await opened.close();
  }
}

async function measureYear(pages: ConsolePages): Promise<Measurement> {
  const { summary, from, to } = yearSummary();
  const body = JSON.stringify(summary);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const opened = await pages.page();
    try {
      await opened.page.route(/\/summary\?/, (route) => route.fulfill({ contentType: "application/json", body }));
      await opened.page.addInitScript(whenFound(IS_WHOLE, SINCE_ANSWER));
      await opened.page.goto(`/insights/1?from=${from}&to=${to}&interval=day`, { waitUntil: "commit" });
      times.push(await opened.page.evaluate<number>("window.found"));
    } finally {
      await opened.close();
    }
  }
  return {
    name: "console, overview of a year by day, generated with all values of a million postings, from answer to paint",
    value: `${median(times).toFixed(0)} ms`,
    baseline: `answer of ${(body.length / MEGABYTE).toFixed(2)} MB`,
    target: "≤ 500 ms",
  };
}

/** In pixels a frame: seven screens a second. */
const SCROLLED = 500;

/**
 * Scrolls until a posting is there, and waits for pages at the end of what is known. Durations of frames are those that the
 * browser reports by itself from 50 ms on (long-animation-frame).
 */
const scrollTo = (posting: number) => `
  new Promise((resolve, reject) => {
    const long = [];
    const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
    observer.observe({ type: "long-animation-frame" });
    let [frames, since, last] = [0, performance.now(), 0];
    const step = () => {
      frames++;
      scrollBy(0, ${SCROLLED});
      const shown = [...document.querySelectorAll("[role=feed] [aria-posinset]")].map((card) => Number(card.getAttribute("aria-posinset")));
      const most = Math.max(0, ...shown);
      if (most > last) [last, since] = [most, performance.now()];
      if (most >= ${posting}) {
        setTimeout(() => { observer.disconnect(); resolve({ frames, long }); }, 200);
      } else if (performance.now() - since > 30000) reject(new Error("The feed ends at " + last + "."));
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })
`;

interface Scrolled {
  readonly frames: number;
  /** Durations of frames of 50 ms and more. */
  readonly long: readonly number[];
}

async function measureFeed(pages: ConsolePages): Promise<Measurement[]> {
  const opened = await pages.page();
  try {
    const { page } = opened;
    await page.goto("/insights/1/postings");
    await page.locator("[role=feed] [aria-posinset]").first().waitFor();
    const begin = await longestTask(opened, () => scrolled(opened, POSTINGS / 10));
    const few = await heapOf(opened);
    const rest = await longestTask(opened, () => scrolled(opened, POSTINGS));
    const many = await heapOf(opened);
    const long = [...begin.result.long, ...rest.result.long];
    const frames = begin.result.frames + rest.result.frames;
    const onTheClock = long.length === 0 ? "under 50 ms" : `${Math.max(...long).toFixed(0)} ms`;
    return [
      {
        name: `console, longest frame while ${POSTINGS} postings are scrolled`,
        value: `${Math.max(begin.longestMs, rest.longestMs).toFixed(0)} ms of processor time`,
        baseline: `on the clock ${onTheClock}, ${long.length} of ${frames} frames longer than 50 ms`,
        target: "≤ 50 ms",
      },
      {
        name: `console, heap after ${POSTINGS} postings ÷ after ${POSTINGS / 10}`,
        value: megabytes(many),
        baseline: megabytes(few),
        ratio: many / few,
        target: "≤ 1.30",
      },
    ];
  } finally {
    await opened.close();
  }
}

function scrolled({ page }: ConsolePage, posting: number): Promise<Scrolled> {
  return page.evaluate<Scrolled>(scrollTo(posting));
}

async function measureHour(pages: ConsolePages): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const [name, address] of [
    ["home", "/"],
    ["an overview", "/insights/1"],
    ["a feed", "/insights/1/postings"],
  ] as const) {
    const opened = await pages.page();
    try {
      const { page } = opened;
      await page.clock.install();
      await page.goto(address);
      await page.locator("main h1").waitFor();
      let requests = 0;
      page.on("request", () => requests++);
      await passMinutes(opened, 1);
      const before = await heapOf(opened);
      requests = 0;
      await passMinutes(opened, MINUTES);
      const after = await heapOf(opened);
      rows.push({
        name: `console, heap of ${name} open for an hour ÷ at first`,
        value: `${megabytes(after)}, ${(requests / MINUTES).toFixed(1)} requests a minute`,
        baseline: megabytes(before),
        ratio: after / before,
        target: "≤ 1.20, ≤ 10 a minute",
      });
    } finally {
      await opened.close();
    }
  }
  return rows;
}

/** In steps that no timer of the console is shorter than, so that each acts as often as it would. */
async function passMinutes({ page }: ConsolePage, minutes: number): Promise<void> {
  for (let step = 0; step < minutes * 12; step++) {
    await page.clock.runFor(5_000);
    await page.waitForLoadState("networkidle");
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

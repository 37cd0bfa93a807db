import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Runs where it is taken for a part of the page, leads to a script where it is a link, and turns around what follows it. */
const HOSTILE = "Zz<img src=x onerror=hacked=1><script>hacked=1</script>javascript:hacked=1 \u202Egnirts ";

/** A hostile text of so many characters: most of it is one word, without a place to break it. */
export function hostileText(characters: number): string {
  return HOSTILE.padEnd(characters, "W").slice(0, characters);
}

export interface Watched {
  readonly faults: readonly string[];
}

/** Notes what a page may not do whatever it shows: open dialogs, or ask other hosts. */
export function watched(page: Page): Watched {
  const faults: string[] = [];
  const { host } = new URL(page.url());
  page.on("dialog", (dialog) => {
    // The browser's own, about what is typed and not saved.
    if (dialog.type() !== "beforeunload") faults.push(`dialog: ${dialog.message()}`);
    void dialog.accept();
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.host !== host && !["blob:", "data:"].includes(url.protocol)) faults.push(`asked ${url.href.slice(0, 100)}`);
  });
  return { faults };
}

/** Expects that what others have written is shown as text, and nothing else happens. */
export async function expectHarmless(page: Page, { faults }: Watched, where: string): Promise<void> {
  expect.soft([...faults, ...(await page.evaluate(harmOf, HOSTILE))], where.slice(0, 60)).toEqual([]);
}

/** What of a page is not as it should be; runs in the page. */
function harmOf(hostile: string): string[] {
  const found: string[] = [];
  if ("hacked" in globalThis) found.push("a script has run");
  for (const element of document.querySelectorAll("body [href], [src], [onerror], main script, main iframe")) {
    const target = element.getAttribute("href") ?? element.getAttribute("src") ?? "";
    if (element.hasAttribute("onerror") || ["SCRIPT", "IFRAME"].includes(element.tagName)) {
      if (element.closest("main") !== null) found.push(`<${element.tagName}>`);
    } else if (!/^(\/|\?|#|https?:|blob:)/.test(target)) found.push(`leads to ${target.slice(0, 60)}`);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth + 1) {
    const [widest] = [...document.querySelectorAll("body *")].sort(
      (a, b) => b.getBoundingClientRect().right - a.getBoundingClientRect().right,
    );
    found.push(`scrolls sideways, ${scrollWidth} of ${clientWidth}: ${widest?.outerHTML.slice(0, 80) ?? ""}`);
  }

  const turns = /[\u202A-\u202E\u2066-\u2069]/;
  /** Whether a text is nothing but the hostile one, or parts of it. */
  const isOwn = (text: string): boolean => {
    const rest = text.replaceAll(hostile, "").replaceAll(/W{2,}/g, "").replace(/…$/, "").trim();
    return !/\p{L}/u.test(rest) || hostile.includes(rest);
  };
  const isApart = (element: Element): boolean => {
    const { display, unicodeBidi } = getComputedStyle(element);
    return /isolate|plaintext/.test(unicodeBidi) || !/^(inline|contents)$/.test(display);
  };
  const say = (element: Element, text: string): void => {
    found.push(`turned around in <${element.tagName.toLowerCase()} class="${element.className}">: ${text.slice(-80)}`);
  };
  const textsIn = (root: Node): Text[] => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
    return texts;
  };
  for (const text of textsIn(document.body)) {
    if (!turns.test(text.data) || text.parentElement === null || text.parentElement.closest("script, style")) continue;
    let around: Element = text.parentElement;
    while (!isApart(around) && around.parentElement !== null) around = around.parentElement;
    const others = textsIn(around).filter(
      ({ data, parentElement }) =>
        /\p{L}/u.test(data) &&
        !isOwn(data) &&
        parentElement?.closest("bdi, [dir=auto]") === around.closest("bdi, [dir=auto]"),
    );
    for (const other of others) say(around, other.data);
  }
  for (const element of document.querySelectorAll("[title], [aria-label], [placeholder], [alt]")) {
    for (const name of ["title", "aria-label", "placeholder", "alt"]) {
      const value = element.getAttribute(name) ?? "";
      if (turns.test(value) && !isOwn(value)) say(element, `${name}: ${value}`);
    }
  }
  if (turns.test(document.title) && !isOwn(document.title)) found.push(`turned around in the title of the page`);
  return [...new Set(found)];
}

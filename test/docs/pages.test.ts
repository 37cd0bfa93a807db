import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { allPages, anchorsOf, blocksOf, isDocumentation, linksOf, type Page, ROOT, sentencesOf } from "./pages.js";
import { UNRUN_BLOCKS } from "./unrun-blocks.js";

const LINES_MAX = 250;
const WORDS_MAX = 40;
/** What a block may be: what runs, what configures another program, what is compared or shown. */
const LANGUAGES = ["sh", "bash", "python", "ts", "json", "yaml", "ini", "nginx", "sql", "go", "js", "text"];

const pages = allPages();
const byName = new Map(pages.map((page) => [page.name, page]));
const documentation = pages.filter(isDocumentation);

describe("the pages", () => {
  it("link to files and sections that exist", () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((link) => !leads(page, link))
        .map((link) => `${page.name}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("are all reached from the index or the README", () => {
    const reached = new Set<string>();
    const queue = ["README.md"];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const page = byName.get(name);
      if (page === undefined || reached.has(name)) continue;
      reached.add(name);
      queue.push(...linksOf(page).map((link) => targetOf(page, link)));
    }
    expect(documentation.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
  });

  it(`have at most ${LINES_MAX} lines`, () => {
    const long = documentation.filter(({ text }) => text.split("\n").length > LINES_MAX + 1);
    expect(long.map(({ name }) => name)).toEqual([]);
  });

  it(`have no sentence of more than ${WORDS_MAX} words`, () => {
    const long = documentation.flatMap((page) =>
      sentencesOf(page)
        .filter((sentence) => sentence.split(" ").length > WORDS_MAX)
        .map((sentence) => `${page.name}: ${sentence}`),
    );
    expect(long).toEqual([]);
  });

  it("say of each block what it is, and show JSON that is JSON", () => {
    const wrong = documentation.flatMap((page) =>
      blocksOf(page)
        .filter(({ language, text }) => !LANGUAGES.includes(language) || (language === "json" && !isJson(text)))
        .map(({ language, line }) => `${page.name}:${line}: ${language}`),
    );
    expect(wrong).toEqual([]);
  });

  it("have no comments in commands, which zsh does not take when they are pasted", () => {
    const commented = documentation.flatMap((page) =>
      blocksOf(page)
        .filter(({ language, text }) => language === "sh" && /(^|\s)# /m.test(text))
        .map(({ line }) => `${page.name}:${line}`),
    );
    expect(commented).toEqual([]);
  });

  it("mark as text only what cannot be run, with a reason", () => {
    const marked = documentation.filter((page) => blocksOf(page).some(({ language }) => language === "text"));
    expect(marked.map(({ name }) => name).sort()).toEqual(Object.keys(UNRUN_BLOCKS).sort());
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The path of the file that a link leads to. */
function targetOf({ name }: Page, link: string): string {
  const [file = ""] = link.split("#", 1);
  return file === "" ? name : path.posix.join(path.posix.dirname(name), file);
}

/** Whether a link leads to something; those to other hosts are not followed. */
function leads(page: Page, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return true;
  const target = targetOf(page, link);
  if (!existsSync(path.join(ROOT, target))) return false;
  const anchor = link.split("#")[1];
  const linked = byName.get(target);
  return anchor === undefined || linked === undefined || anchorsOf(linked).has(anchor);
}

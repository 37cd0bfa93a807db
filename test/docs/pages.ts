import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { githubSlug } from "../../docs/.vitepress/slug.mjs";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A fenced block of a page. */
export interface Block {
  /** The word after the fence, such as `sh`. */
  readonly language: string;
  readonly text: string;
  /** The line of its fence, from 1. */
  readonly line: number;
}

/** A page of Markdown, by its path from the root of the repository. */
export interface Page {
  readonly name: string;
  readonly text: string;
}

/** All pages of the repository that git knows or would add. */
export function allPages(): readonly Page[] {
  const names = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return names.split("\n").filter(Boolean).flatMap(readPage);
}

/** A file that was moved is still known to git, until the next commit. */
function readPage(name: string): Page[] {
  try {
    return [{ name, text: readFileSync(path.join(ROOT, name), "utf8") }];
  } catch {
    return [];
  }
}

/** Whether a page is for users and operators, and not a note beside the code. */
export function isDocumentation({ name }: Page): boolean {
  return /^(docs\/.*|[A-Z]+\.md)$/.test(name);
}

export function blocksOf({ text }: Page): readonly Block[] {
  return [...text.matchAll(/^( *)```([\w-]*)[^\n]*\n(.*?)^\1```$/gms)].map(
    ({ 2: language = "", 3: inner = "", index }) => ({
      language,
      text: inner,
      line: text.slice(0, index).split("\n").length,
    }),
  );
}

/** The text without fenced blocks and comments. */
export function proseOf({ text }: Page): string {
  return text.replace(/^( *)```.*?^\1```$/gms, "").replace(/<!--.*?-->/gs, "");
}

/** The anchors that a page offers, as GitHub makes them of headings, and those that it names itself. */
export function anchorsOf(page: Page): ReadonlySet<string> {
  const prose = proseOf(page);
  const counts = new Map<string, number>();
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => {
    const slug = githubSlug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  const named = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...named]);
}

/** The targets of links and pictures. */
export function linksOf(page: Page): readonly string[] {
  const prose = proseOf(page).replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, first, second]) => first ?? second ?? "",
  );
}

/** The sentences of the prose, of table cells too; a piece of code counts as a word. */
export function sentencesOf(page: Page): readonly string[] {
  const plain = proseOf(page)
    .replace(/`[^`]*`/g, "code")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
  return plain
    .split(/\n\s*\n|\n(?=\s*(?:[-*|>#]|\d+\.) ?)|\|/)
    .flatMap((part) => part.replace(/\s+/g, " ").split(/(?<=[.!?])\s+/))
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

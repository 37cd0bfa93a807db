// The site of these pages: `npm run docs` builds it, and the gateway serves it at /docs. A link to a page that does not exist
// fails the build, as does a page that the index (README.md) does not lead to.
import fs from "node:fs";
import path from "node:path";
import { defineConfig } from "vitepress";
import { compressAll } from "../../gateway/compress.mjs";
import { hidePicturesOfOtherTheme, linkPagesOnly } from "./markdown.mjs";
import { sidebarOf } from "./sidebar.mjs";
import { githubSlug } from "./slug.mjs";

const PAGES = path.resolve(import.meta.dirname, "..");
const MARK =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath d='M7 3h18v4c0 4-3 6-6 9 3 3 6 5 6 9v4H7v-4c0-4 3-6 6-9-3-3-6-5-6-9z' fill='%235a3fc0'/%3E%3C/svg%3E";

export default defineConfig({
  base: "/docs/",
  lang: "en-US",
  title: "Hourglass",
  description: "Content analysis and social insight that a company hosts itself",
  head: [["link", { rel: "icon", href: MARK }]],
  cleanUrls: true,
  // Else each page repeats the names of all.
  metaChunk: true,
  rewrites: { "README.md": "index.md" },
  outDir: process.env.DOCS_SITE ?? path.resolve(PAGES, "../gateway/dist/site"),
  cacheDir: path.resolve(PAGES, "../node_modules/.cache/vitepress"),
  markdown: {
    anchor: { slugify: githubSlug },
    config: (markdown) => markdown.use(linkPagesOnly).use(hidePicturesOfOtherTheme),
  },
  themeConfig: {
    logo: { src: MARK, alt: "" },
    search: { provider: "local" },
    outline: [2, 3],
    notFound: { quote: "The search finds all pages.", linkText: "Back to the index", linkLabel: "Back to the index" },
    nav: [
      { text: "API reference", link: "/api", target: "_self", noIcon: true },
      // VitePress puts the base before every address of this server.
      { text: "Console", link: "/../", target: "_self", noIcon: true },
    ],
    sidebar: sidebarOf(fs.readFileSync(path.join(PAGES, "README.md"), "utf8"), titlesBelow(PAGES)),
  },
  buildEnd: ({ outDir }) => compressAll(outDir),
});

/** The titles of all pages but the index, by their paths. */
function titlesBelow(folder) {
  const names = fs.readdirSync(folder, { recursive: true }).map((name) => name.split(path.sep).join("/"));
  const pages = names.filter((name) => /^[^.].*\.md$/.test(name) && name !== "README.md").sort();
  return new Map(pages.map((page) => [page, /^# (.+)$/m.exec(fs.readFileSync(path.join(folder, page), "utf8"))?.[1]]));
}

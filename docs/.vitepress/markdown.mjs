import path from "node:path";

/**
 * A link to a file of the repository that is no page becomes text: a reader of the site has no repository. One to the index
 * leads to the address of the index.
 */
export function linkPagesOnly(markdown) {
  markdown.core.ruler.push("link_pages_only", ({ tokens, env }) => {
    for (const token of tokens) {
      let isOutside = false;
      token.children = (token.children ?? []).filter((child) => {
        if (child.type === "link_open") {
          const target = child.attrGet("href");
          isOutside = leavesPages(env.relativePath, target);
          child.attrSet("href", target.replace(/^((\.\.\/)*)README\.md/, "$1index.md"));
        }
        return !(isOutside && child.type.startsWith("link_"));
      });
    }
  });
}

function leavesPages(page, target) {
  return !/^([a-z]+:|[#/])/.test(target) && path.posix.join(path.posix.dirname(page), target).startsWith("..");
}

/** On GitHub a picture follows the system's theme; here that of the site, which a reader may switch. */
export function hidePicturesOfOtherTheme(markdown) {
  const render = markdown.renderer.rules.html_block;
  markdown.renderer.rules.html_block = (...args) =>
    render(...args).replace(
      /<picture>\s*<source [^>]*dark[^>]* srcset="([^"]+)">\s*(<img [^>]*src=")([^"]+)([^>]*>)\s*<\/picture>/g,
      (_, dark, before, light, after) =>
        `<div class="only-light">${before}./${light}${after}</div><div class="only-dark">${before}./${dark}${after}</div>`,
    );
}

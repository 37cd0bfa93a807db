/**
 * The sidebar by reader: the sections of the index, with the pages that each leads to. A page in a folder is below the page of
 * the folder's name, such as platforms/x.md below platforms.md. Fails if the index leads to no page of these.
 */
export function sidebarOf(index, titles) {
  const sections = index.split(/^## /m).slice(1);
  const sidebar = sections.map((section) => ({
    text: section.split("\n", 1)[0],
    items: [...section.matchAll(/\[([^\]]+)\]\(([\w-]+)\.md\)/g)].map(([, text, name]) => itemOf(text, name, titles)),
  }));
  const linked = new Set(
    sidebar.flatMap(({ items }) => items.flatMap((item) => [item, ...(item.items ?? [])])).map(({ link }) => link),
  );
  const lost = [...titles.keys()].filter((page) => !linked.has(linkOf(page)));
  if (lost.length > 0) throw new Error(`No reader would find ${lost.join(", ")}: docs/README.md must name it.`);
  return sidebar;
}

function itemOf(name, page, titles) {
  const item = { text: name[0].toUpperCase() + name.slice(1), link: `/${page}` };
  const below = [...titles].filter(([other]) => other.startsWith(`${page}/`));
  if (below.length === 0) return item;
  return { ...item, collapsed: true, items: below.map(([other, text]) => ({ text, link: linkOf(other) })) };
}

function linkOf(page) {
  return `/${page.replace(/\.md$/, "")}`;
}

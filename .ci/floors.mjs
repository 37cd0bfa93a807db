// How the source of each part is stacked. The floors of a folder are the longest chain of imports between its children:
// its files, and its subfolders counted as one each. Few floors and no circle mean that whoever opens a folder, at any
// depth, finds an order to read it in. The longest chain of files that load each other is measured too, so that it does
// not grow unseen.
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";

const FLOORS_MAX = 8;
/** Source files side by side in one folder, tests apart. */
const FILES_MAX = 15;
/** Folders that have more floors until they are taken apart. */
const TALLER = new Map([["services/insight/src", 13]]);
/** The longest chain of files of which each loads the next. Lower a figure when the code allows it. */
const CHAINS_MAX = new Map([
  ["gateway", 10],
  ["services/analysis", 11],
  ["services/export", 12],
  ["services/insight", 14],
  ["services/operation", 9],
  ["services/runtime", 11],
]);

const isSource = (name) => name.endsWith(".ts") && !/\.(test|d)\.ts$/.test(name);

function* sourcesBelow(root, folder) {
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) {
      if (isSource(entry.name)) yield name;
    } else if (entry.name !== "testing") yield* sourcesBelow(root, name);
  }
}

/**
 * Of each source file below the folder, what it imports from below it: `all`, types and imports at run time included, and
 * the values that are loaded with it.
 */
function importsBelow(root, folder) {
  const files = [...sourcesBelow(root, folder)];
  const known = new Set(files);
  const all = new Map();
  const values = new Map();
  for (const file of files) {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    const target = (name) => path.posix.join(path.posix.dirname(file), name).replace(/\.js$/, ".ts");
    const below = (names) => new Set(names.map(target).filter((name) => known.has(name)));
    all.set(file, below(ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)));
    values.set(file, below(valuesOf(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))));
  }
  return { all, values };
}

function valuesOf({ statements }) {
  return statements
    .filter((statement) => statement.moduleSpecifier !== undefined && !isOfTypes(statement))
    .map(({ moduleSpecifier }) => moduleSpecifier.text);
}

/** Whether an import or export names only types. */
function isOfTypes({ isTypeOnly, importClause, exportClause }) {
  if (isTypeOnly || importClause?.isTypeOnly) return true;
  const names = importClause?.namedBindings?.elements ?? exportClause?.elements ?? [];
  return importClause?.name === undefined && names.length > 0 && names.every((name) => name.isTypeOnly);
}

/** Of each folder, the imports between its children. */
function childrenOf(folder, imports) {
  const graphs = new Map();
  for (const [file, targets] of imports) {
    for (let above = path.posix.dirname(file); above.startsWith(folder); above = path.posix.dirname(above)) {
      const childIn = (name) => name.slice(above.length + 1).split("/", 1)[0];
      if (!graphs.has(above)) graphs.set(above, new Map());
      const graph = graphs.get(above);
      const from = childIn(file);
      if (!graph.has(from)) graph.set(from, new Set());
      for (const target of targets) {
        if (target.startsWith(`${above}/`) && childIn(target) !== from) graph.get(from).add(childIn(target));
      }
    }
  }
  return graphs;
}

/** The longest chain through a graph, and the first circle in it. */
function longestChain(graph) {
  const chains = new Map();
  const open = [];
  let circle;
  const from = (node) => {
    if (chains.has(node)) return chains.get(node);
    if (open.includes(node)) {
      circle ??= [...open.slice(open.indexOf(node)), node];
      return [];
    }
    open.push(node);
    const chain = [node, ...longest([...(graph.get(node) ?? [])].map(from))];
    open.pop();
    chains.set(node, chain);
    return chain;
  };
  return { chain: longest([...graph.keys()].map(from)), circle };
}

const longest = (chains) => chains.reduce((most, chain) => (chain.length > most.length ? chain : most), []);

/** What is wrong with the stacking of a part, and its figures. `root` is the checkout. */
export function checkFloors(root, part) {
  const folder = `${part}/src`;
  const { all, values } = importsBelow(root, folder);
  const folders = [...childrenOf(folder, all)].map(([name, graph]) => ({ name, ...longestChain(graph) }));
  const files = longestChain(values).chain;
  const count = (name) => [...all.keys()].filter((file) => path.posix.dirname(file) === name).length;
  const chainMax = CHAINS_MAX.get(part) ?? FLOORS_MAX;
  return {
    figures: `${part} ${files.length}/${Math.max(...folders.map(({ chain }) => chain.length))}`,
    problems: [
      ...folders
        .filter(({ name }) => count(name) > FILES_MAX)
        .map(({ name }) => `${name}: ${count(name)} files, ${FILES_MAX} at most: give it folders by reason to change`),
      ...folders
        .filter(({ circle }) => circle !== undefined)
        .map(({ name, circle }) => `${name}: imports in a circle: ${circle.join(" → ")}`),
      ...folders
        .filter(({ name, chain }) => chain.length > (TALLER.get(name) ?? FLOORS_MAX))
        .map(({ name, chain }) => `${name}: ${chain.length} floors, ${FLOORS_MAX} at most: ${chain.join(" → ")}`),
      ...(files.length > chainMax
        ? [`${folder}: a chain of ${files.length} files, ${chainMax} at most: ${files.join(" → ")}`]
        : []),
    ],
  };
}

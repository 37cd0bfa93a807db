// Builds the web console: src/main.tsx and what it loads become dist/site, with hashed names and compressed copies, which the
// gateway serves. Fails if the result is larger than people on thin lines should wait for, or if the build has become slow:
//
//   node gateway/console/bundle.mjs [--out FOLDER] [--budget '{"first": 60000}'] [--reload]
//
// With --reload, which is for `npm run dev`, the page loads itself again when the server has another one.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { compress } from "../compress.mjs";

const HERE = import.meta.dirname;
const SRC = path.join(HERE, "src");
const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: path.join(HERE, "dist/site") },
    budget: { type: "string", default: "{}" },
    reload: { type: "boolean", default: false },
  },
});
const SITE = path.resolve(options.out);
/**
 * In bytes, compressed with brotli: the first screen is what a sign-in loads and shows. The build in seconds of processor
 * time, which other work on the computer does not lengthen.
 */
const BUDGET = { first: 60_000, screen: 25_000, all: 200_000, seconds: 5, ...JSON.parse(options.budget) };
/** Clock ticks per second in Linux's processor times, on every platform that Node supports. */
const TICKS = 100;

function* stylesBelow(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* stylesBelow(full);
    else if (entry.name.endsWith(".module.css")) yield full;
  }
}

/**
 * `styles:all` holds the styles of all screens: one stylesheet, so that a screen that is loaded later has its styles at once.
 * esbuild would put them into a file for each screen, and load none of them.
 */
const allStyles = {
  name: "all styles",
  setup(bundling) {
    bundling.onResolve({ filter: /^styles:all$/ }, () => ({ path: "all", namespace: "styles" }));
    bundling.onLoad({ filter: /.*/, namespace: "styles" }, () => ({
      contents: [...stylesBelow(SRC)]
        .sort()
        .map((file) => `@import ${JSON.stringify(file)};`)
        .join("\n"),
      loader: "css",
      resolveDir: SRC,
    }));
  },
};

fs.rmSync(SITE, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: HERE,
  entryPoints: { console: path.join(SRC, "main.tsx") },
  inject: options.reload ? [path.join(HERE, "reload.mjs")] : [],
  outdir: SITE,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  target: ["es2022", "chrome111", "firefox128", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  define: {
    "process.env.NODE_ENV": '"production"',
    CONSOLE_VERSION: JSON.stringify(JSON.parse(fs.readFileSync(path.join(HERE, "package.json"), "utf8")).version),
  },
  plugins: [allStyles],
  metafile: true,
  logLevel: "warning",
});

// A screen's own stylesheet is in the first one already.
const outputs = Object.entries(metafile.outputs).map(([name, output]) => ({ name: path.basename(name), ...output }));
const main = outputs.find(({ entryPoint }) => entryPoint === "src/main.tsx");
const styles = path.basename(main.cssBundle);
for (const { name } of outputs) {
  if (name.endsWith(".css") && name !== styles) fs.rmSync(path.join(SITE, name));
}

const page = fs
  .readFileSync(path.join(SRC, "index.html"), "utf8")
  .replace("CONSOLE_CSS", `/assets/${styles}`)
  .replace("CONSOLE_JS", `/assets/${main.name}`)
  .replace(
    "CONSOLE_CHUNKS",
    importedBy(main)
      .map((name) => `<link rel="modulepreload" href="/assets/${name}" />`)
      .join("\n    "),
  );
fs.writeFileSync(path.join(SITE, "index.html"), page);

const sizes = new Map(
  await Promise.all(fs.readdirSync(SITE).map(async (name) => [name, await compress(path.join(SITE, name))])),
);
const exceeded = [...checkSizes(), ...checkTime()];
if (exceeded.length > 0) {
  process.stderr.write(`The console has grown beyond its budget: ${exceeded.join("; ")}\n`);
  process.exitCode = 1;
}

/** The chunks that an output needs before it runs. */
function importedBy(output, found = new Set()) {
  for (const { path: imported, kind } of output.imports ?? []) {
    const name = path.basename(imported);
    if (kind !== "import-statement" || found.has(name)) continue;
    found.add(name);
    importedBy(
      outputs.find((other) => other.name === name),
      found,
    );
  }
  return [...found];
}

/** What is larger than its budget, in words. */
function checkSizes() {
  const sum = (names) => names.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  const first = ["index.html", styles, main.name, ...importedBy(main)];
  const screens = outputs.filter(
    ({ entryPoint, name }) => entryPoint !== undefined && name !== main.name && name.endsWith(".js"),
  );
  const home = screens.find(({ entryPoint }) => entryPoint === "src/screens/home/home.tsx");
  const firstScreen = home === undefined ? first : [...new Set([...first, home.name, ...importedBy(home)])];
  const measured = [
    ["first screen", sum(firstScreen), BUDGET.first],
    ...screens.map((screen) => {
      const own = [screen.name, ...importedBy(screen)].filter((name) => !firstScreen.includes(name));
      return [path.basename(screen.entryPoint, ".tsx"), sum(own), BUDGET.screen];
    }),
    ["all", sum([...sizes.keys()]), BUDGET.all],
  ];
  if (process.env.CONSOLE_SIZES !== undefined) {
    const report = measured.map(([what, bytes]) => `${what} ${(bytes / 1000).toFixed(1)} kB`);
    process.stderr.write(`Console (brotli): ${report.join(", ")}; ${processorSeconds().toFixed(1)} s\n`);
  }
  return measured
    .filter(([, bytes, most]) => bytes > most)
    .map(([what, bytes, most]) => `${what}: ${bytes} bytes with brotli, at most ${most}`);
}

function checkTime() {
  const seconds = processorSeconds();
  if (seconds <= BUDGET.seconds) return [];
  return [`the build: ${seconds.toFixed(1)} s of processor time, at most ${BUDGET.seconds}`];
}

/** Of this process and of esbuild, which it has started; without /proc, of this process. */
function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childTicks() / TICKS;
}

function childTicks() {
  try {
    const children = fs.readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
    return children.reduce((sum, child) => {
      const stat = fs.readFileSync(`/proc/${child}/stat`, "utf8");
      // The name of the program, in brackets, may contain any characters; numbers follow it, from the third field on.
      const [user, system] = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .slice(11, 13)
        .map(Number);
      return sum + user + system;
    }, 0);
  } catch {
    return 0;
  }
}

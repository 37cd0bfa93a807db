// Builds the web console: src/main.tsx and what it loads become dist/site, with hashed names and compressed copies, which the
// gateway serves. Fails if the result is larger than people on thin lines should wait for.
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "esbuild";

const HERE = import.meta.dirname;
const SRC = path.join(HERE, "src");
const SITE = path.join(HERE, "dist/site");
/** In bytes, compressed with brotli. The first screen is what a sign-in loads and shows. */
const BUDGET = { first: 60_000, screen: 25_000, all: 200_000 };

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
checkSizes();

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

/** Writes the compressed copies of a file, where they are smaller, and returns the size of the smallest. */
async function compress(file) {
  const bytes = fs.readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  if (br.length < bytes.length) fs.writeFileSync(`${file}.br`, br);
  if (gz.length < bytes.length) fs.writeFileSync(`${file}.gz`, gz);
  return Math.min(br.length, gz.length, bytes.length);
}

function checkSizes() {
  const sum = (names) => names.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  const first = ["index.html", styles, main.name, ...importedBy(main)];
  const screens = outputs.filter(
    ({ entryPoint, name }) => entryPoint !== undefined && name !== main.name && name.endsWith(".js"),
  );
  const home = screens.find(({ entryPoint }) => entryPoint === "src/screens/home/home.tsx");
  const firstScreen = home === undefined ? first : [...new Set([...first, home.name, ...importedBy(home)])];
  const tooLarge = [];
  const check = (what, bytes, most) => {
    if (bytes > most) tooLarge.push(`${what}: ${bytes} bytes, at most ${most}`);
    return `${what} ${(bytes / 1000).toFixed(1)} kB`;
  };
  const report = [
    check("first screen", sum(firstScreen), BUDGET.first),
    ...screens.map((screen) => {
      const own = [screen.name, ...importedBy(screen)].filter((name) => !firstScreen.includes(name));
      return check(path.basename(screen.entryPoint, ".tsx"), sum(own), BUDGET.screen);
    }),
    check("all", sum([...sizes.keys()]), BUDGET.all),
  ];
  if (process.env.CONSOLE_SIZES !== undefined) process.stderr.write(`Console (brotli): ${report.join(", ")}\n`);
  if (tooLarge.length > 0) {
    process.stderr.write(`The console has grown too large (brotli): ${tooLarge.join("; ")}\n`);
    process.exitCode = 1;
  }
}

// Bundles the entry points of the product, after the build: a process then reads a dozen files instead of two thousand,
// which is most of its start. dist/process/run-entry.js of services/runtime decides at start whether a bundle is current.
//
// Only the main thread of a process is bundled; its threads and child processes run the modules, by their paths.
import fs from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The entry points of each part, as runEntry has them. */
const ENTRIES = {
  gateway: ["serve"],
  "services/auth": ["serve"],
  "services/media": ["serve"],
  "services/operation": ["serve"],
  "services/insight": ["serve"],
  "services/export": ["serve"],
  "services/worker": ["serve"],
  "services/standalone": ["serve", "admin/run"],
};

/** Everything that is bundled into one of them. */
const PARTS = ["proto", "services/runtime", "services/posting", "services/analysis", ...Object.keys(ENTRIES)];

/**
 * Packages that stay where they are: native code, workers and data that they find beside their own files, and large ones
 * that few processes load.
 */
const UNBUNDLED = [
  /^(libsql|sharp|onnxruntime-node|@node-rs\/.+|@huggingface\/.+)$/,
  /^(pino|piscina|workerpool)$/,
  /^(@ffmpeg-installer\/.+|@gutenye\/.+|swagger-ui-dist|wink-.+)/,
  /^(mongodb|amqplib|@grpc\/.+|@opentelemetry\/(?!api$).+)$/,
];

const BUILTIN = new Set(builtinModules);
const isPackage = (specifier) => /^[^./]/.test(specifier) && !path.isAbsolute(specifier);
const isUnbundled = (specifier) =>
  specifier.startsWith("node:") || BUILTIN.has(specifier) || UNBUNDLED.some((name) => name.test(specifier));

/**
 * Where each name of a front door is from: `import { a } from "@hourglass/runtime"` is bundled as if it named the file of
 * `a`. The bundler would load whatever the front door names as soon as one of them is used.
 */
class FrontDoors {
  #doors = new Map();

  /** The same module, importing past the front doors. Only the compiler's own spelling of an import is replaced. */
  async past(contents) {
    const wanted = new Set([...contents.matchAll(IMPORT)].map(([, , specifier]) => specifier));
    const known = new Map(await Promise.all([...wanted].map(async (name) => [name, await this.#doorOf(name)])));
    return contents.replace(IMPORT, (statement, names, specifier) => {
      const files = known.get(specifier);
      const parts = names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      return parts
        .map((name) => `import { ${name} } from ${JSON.stringify(files.get(name.split(" ")[0]) ?? specifier)};`)
        .join(" ");
    });
  }

  #doorOf(specifier) {
    if (!this.#doors.has(specifier)) this.#doors.set(specifier, namesOf(fileURLToPath(import.meta.resolve(specifier))));
    return this.#doors.get(specifier);
  }
}

const IMPORT = /^import \{([^}]*)\} from "(@hourglass\/(?!proto)[^"]+)";/gm;
const EXPORT = /^export (?:\{([^}]*)\}|\*) from "(\.[^"]+)";/gm;

/** The names that a front door exports from other files under the same name, with these files. */
async function namesOf(door) {
  const found = new Map();
  for (const [, names, specifier] of fs.readFileSync(door, "utf8").matchAll(EXPORT)) {
    const file = path.resolve(path.dirname(door), specifier);
    const exported =
      names?.split(",").map((name) => name.trim()) ?? Object.keys(await import(pathToFileURL(file).href));
    for (const name of exported) found.set(name, file);
  }
  return found;
}

/** Our modules find workers and data relative to themselves; in a bundle that must remain so. */
const ownModules = (outdir, doors) => ({
  name: "own modules",
  setup(bundling) {
    bundling.onResolve({ filter: /./ }, ({ path: specifier, kind }) =>
      kind !== "entry-point" && isPackage(specifier) && isUnbundled(specifier)
        ? { path: specifier, external: true }
        : undefined,
    );
    bundling.onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, async ({ path: file }) => {
      if (file.includes("node_modules")) return undefined;
      const from = path.relative(outdir, file).replaceAll(path.sep, "/");
      const contents = await doors.past(fs.readFileSync(file, "utf8"));
      const own = `new URL(${JSON.stringify(from)}, import.meta.url).href`;
      return { contents: contents.replaceAll("import.meta.url", own), loader: "js" };
    });
  },
});

/** Node has no `require` in a module, and CommonJS packages in a bundle need it for what Node itself brings. */
const REQUIRE = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;

const DOORS = new FrontDoors();

async function bundle(part, names) {
  const dist = path.join(ROOT, part, "dist");
  const outdir = path.join(dist, "bundle");
  fs.rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: names.map((name) => ({ in: path.join(dist, `${name}.js`), out: name })),
    outdir,
    // All chunks beside each other, so that paths relative to one are relative to all.
    entryNames: "[name]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    mainFields: ["module", "main"],
    sourcemap: true,
    sourcesContent: false,
    legalComments: "none",
    banner: { js: REQUIRE },
    plugins: [ownModules(outdir, DOORS)],
    logLevel: "warning",
  });
  const listed = inputs().map((file) => path.relative(outdir, file).replaceAll(path.sep, "/"));
  for (const name of names)
    fs.writeFileSync(path.join(outdir, `${path.basename(name)}.js.inputs.json`), JSON.stringify(listed));
}

/** What the compiler writes whenever it writes modules, and what decides about the packages. */
function inputs() {
  const built = PARTS.map((part) => path.join(ROOT, part, "dist/.tsbuildinfo"));
  return [path.join(ROOT, "package-lock.json"), ...built];
}

await Promise.all(Object.entries(ENTRIES).map(([part, names]) => bundle(part, names)));

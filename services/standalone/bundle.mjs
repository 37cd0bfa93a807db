// Bundles the entry points of the product, after the build: a process then reads a dozen files instead of two thousand,
// which is most of its start. dist/process/run-entry.js of services/runtime decides at start whether a bundle is current.
//
// Only the main thread of a process is bundled; its threads and child processes run the modules, by their paths.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The entry points of each part, as runEntry has them. The last bundle tells `start.mjs` that all are made. */
const ENTRIES = {
  gateway: ["serve"],
  "services/auth": ["serve"],
  "services/media": ["serve"],
  "services/operation": ["serve"],
  "services/insight": ["serve"],
  "services/export": ["serve"],
  "services/worker": ["serve"],
  "services/standalone": ["admin/run", "serve"],
};

/**
 * Packages that stay where they are: native code, workers and data that they find beside their own files, and large ones
 * that few processes load.
 */
const UNBUNDLED = [
  ...["libsql", "sharp", "onnxruntime-node", "@node-rs/*", "@huggingface/*"],
  ...["pino", "pino-pretty", "piscina", "workerpool"],
  ...["@ffmpeg-installer/*", "@gutenye/*", "swagger-ui-dist", "wink-*"],
  ...["mongodb", "amqplib", "@grpc/*"],
  ...["@opentelemetry/exporter-trace-otlp-proto", "@opentelemetry/resources", "@opentelemetry/sdk-trace-node"],
];

/** Node has no `require` in a module, and CommonJS packages in a bundle need it for what Node itself brings. */
const REQUIRE = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;

/** Our modules find workers and data relative to themselves; in a bundle that must remain so. */
const placesKept = (outdir) => ({
  name: "places kept",
  setup(bundling) {
    bundling.onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path: file }) => {
      if (file.includes("node_modules")) return undefined;
      const from = path.relative(outdir, file).replaceAll(path.sep, "/");
      const own = `new URL(${JSON.stringify(from)}, import.meta.url).href`;
      return { contents: fs.readFileSync(file, "utf8").replaceAll("import.meta.url", own), loader: "js" };
    });
  },
});

async function bundle(part, names) {
  const dist = path.join(ROOT, part, "dist");
  const outdir = path.join(dist, "bundle");
  fs.rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: names.map((name) => path.join(dist, `${name}.js`)),
    outdir,
    // All chunks beside each other, so that paths relative to one are relative to all.
    entryNames: "[name]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    external: UNBUNDLED,
    format: "esm",
    platform: "node",
    target: "node20.19",
    mainFields: ["module", "main"],
    sourcemap: true,
    sourcesContent: false,
    legalComments: "none",
    banner: { js: REQUIRE },
    plugins: [placesKept(outdir)],
    logLevel: "warning",
  });
}

for (const [part, names] of Object.entries(ENTRIES)) await bundle(part, names);

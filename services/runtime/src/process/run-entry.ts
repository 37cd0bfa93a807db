import { readFileSync, statSync } from "node:fs";
import * as module from "node:module";
import { fileURLToPath } from "node:url";

/** Its list, beside the bundle, of the files that change when the modules of the bundle do. */
const INPUTS_FILE = "inputs.json";

/**
 * Runs an entry point: from its bundle, which loads several times faster than the thousand modules that it was made of,
 * or from those, if there is no bundle or they are newer. `bundle` is the file that `npm run build` writes.
 */
export async function runEntry(bundle: URL, modules: () => Promise<unknown>): Promise<void> {
  if (!isCurrent(bundle)) return void (await modules());
  keepCompiled(new URL(".compiled/", bundle));
  await import(bundle.href);
}

/** Whether the bundle was made after the last change of each input; an image contains none of them. */
function isCurrent(bundle: URL): boolean {
  const listed = new URL(`${bundle.href}.${INPUTS_FILE}`);
  try {
    const inputs = JSON.parse(readFileSync(listed, "utf8")) as string[];
    const madeAt = statSync(listed).mtimeMs;
    return inputs.every(
      (input) => (statSync(new URL(input, bundle), { throwIfNoEntry: false })?.mtimeMs ?? 0) <= madeAt,
    );
  } catch {
    return false; // never made
  }
}

/** Node 22 and later keep compiled code, here beside the bundle, where nobody can write who cannot write the code. */
function keepCompiled(folder: URL): void {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(fileURLToPath(folder));
}

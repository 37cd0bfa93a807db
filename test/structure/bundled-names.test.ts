import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

test("failures keep the name of their class in a bundle, where log lines take it from", async () => {
  const entry = fileURLToPath(new URL("../../services/runtime/dist/errors/app-error.js", import.meta.url));
  const options = { bundle: true, format: "esm", platform: "node", target: "node20.19", write: false } as const;
  const [bundled] = (await build({ ...options, entryPoints: [entry] })).outputFiles;
  const { AppError } = (await import(`data:text/javascript,${encodeURIComponent(bundled?.text ?? "")}`)) as {
    AppError: new (kind: string, message: string) => Error;
  };
  expect(new AppError("invalid", "Wrong.").constructor.name).toBe("AppError");
});

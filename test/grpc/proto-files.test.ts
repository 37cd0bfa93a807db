import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadSync } from "@grpc/proto-loader";
import { expect, it } from "vitest";

const PROTO = fileURLToPath(new URL("../../proto", import.meta.url));
const FILES = readdirSync(`${PROTO}/hourglass`, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".proto"),
);

// Its parser knows less of the language than protoc and buf.
it.each(FILES)("can be loaded by proto-loader with all that it imports: %s", (file) => {
  const definition = loadSync(`hourglass/${file}`, { includeDirs: [PROTO, `${PROTO}/vendor`] });
  const source = readFileSync(`${PROTO}/hourglass/${file}`, "utf8");
  const services = [...source.matchAll(/^service (\w+)/gm)].map(([, name = ""]) => name);
  const loaded = Object.keys(definition).map((name) => name.split(".").at(-1));
  expect(loaded).toEqual(expect.arrayContaining(services));
});

// Writes the types of the client from the OpenAPI document of the gateway; run by `npm run generate:client`, after a build:
//
//   node gateway/client/generate.mjs          writes src/api.ts
//   node gateway/client/generate.mjs --check  exits with 1 if its types, comments aside, are not those of the document
import fs from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { format } from "prettier";
import ts from "typescript";
import { documentOfEverything } from "../dist/testing/document.js";

const FILE = new URL("src/api.ts", import.meta.url);
const HEAD = "// Generated from the OpenAPI document by `npm run generate:client`.\n\n";
const BLOB = ts.factory.createTypeReferenceNode("Blob");

/** A binary string, such as a file, is a Blob. */
const transform = (schema) => (schema.format === "binary" ? BLOB : undefined);

const tree = await openapiTS(documentOfEverything(), { transform });
const types = await format(HEAD + astToString(tree), { parser: "typescript", printWidth: 120 });
const withoutComments = (source) => source.replaceAll(/\s*\/\*\*.*?\*\//gs, "");
const isCurrent = fs.existsSync(FILE) && withoutComments(fs.readFileSync(FILE, "utf8")) === withoutComments(types);
if (!process.argv.includes("--check")) fs.writeFileSync(FILE, types);
else if (!isCurrent) {
  process.stdout.write("gateway/client/src/api.ts is out of date: run npm run generate:client\n");
  process.exitCode = 1;
}

// Prints the types of an OpenAPI document: `node generate.mjs URL`. A binary string (a file) becomes a Blob.
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const BLOB = ts.factory.createTypeReferenceNode("Blob");

const types = await openapiTS(new URL(process.argv[2]), {
  transform: (schema) => (schema.format === "binary" ? BLOB : undefined),
});
process.stdout.write(astToString(types));

import { randomUUID } from "node:crypto";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";

/** Writes every body to a file, which is kept until the end like an upload: the minimal cost of receiving one. */
const folder = mkdtempSync(path.join(tmpdir(), "bare-upload-"));
process.once("SIGTERM", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
createServer((req, res) => {
  void pipeline(req, createWriteStream(path.join(folder, randomUUID()))).then(() => res.end("{}"));
}).listen(Number(process.env["PORT"]), "127.0.0.1");

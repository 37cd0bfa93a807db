import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";

/** Writes every body to a file and removes it again: the least that receiving an upload can cost. */
createServer((req, res) => {
  const file = path.join(tmpdir(), `bare-upload-${randomUUID()}`);
  void pipeline(req, createWriteStream(file))
    .then(() => res.end("{}"))
    .finally(() => rm(file, { force: true }));
}).listen(Number(process.env["PORT"]), "127.0.0.1");

import { createServer } from "node:http";
import { openFileBlobs } from "@hourglass/runtime";
import { gatewayInOneProcess } from "../export-gateway.js";

/** Serves the export in FOLDER over REST; PORT tells the address of it, and the memory of this process in bytes. */
const gateway = await gatewayInOneProcess(await openFileBlobs({ folder: process.env["FOLDER"] ?? "" }));
const { url } = await gateway.listen("127.0.0.1", 0);
createServer((_req, res) => res.end(JSON.stringify({ url, rss: process.memoryUsage.rss() }))).listen(
  Number(process.env["PORT"]),
  "127.0.0.1",
);

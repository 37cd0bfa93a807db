import { parentPort, workerData } from "node:worker_threads";
import { checkFile } from "./check-file.js";

/** Worker thread that checks one database file and posts a description of its damage; empty if there is none. */
parentPort?.postMessage(checkFile(String(workerData)) ?? "");

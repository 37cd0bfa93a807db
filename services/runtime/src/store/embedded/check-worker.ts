import { parentPort, workerData } from "node:worker_threads";
import { checkFile } from "./check-file.js";

/** Checks one database file in a thread of its own, and sends what is wrong with it; empty when nothing is. */
parentPort?.postMessage(checkFile(String(workerData)) ?? "");

import { parentPort, workerData } from "node:worker_threads";
import { measureFile } from "./measure-file.js";

/** Worker thread that measures one database file. */
parentPort?.postMessage(measureFile(String(workerData)));

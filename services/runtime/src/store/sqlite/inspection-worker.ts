import { parentPort, workerData } from "node:worker_threads";
import { checkFile, type Inspection, measureFile } from "./inspection.js";

/** Worker thread that inspects one database file and posts the result. */
const { file, task } = workerData as Inspection;
parentPort?.postMessage(task === "check" ? checkFile(file) : measureFile(file));

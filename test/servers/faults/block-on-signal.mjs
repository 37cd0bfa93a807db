// Loaded into a worker by NODE_OPTIONS: SIGUSR2 blocks its event loop for as long as the file BLOCKED_WHILE exists.
import { existsSync } from "node:fs";

const LOOK_EVERY_MS = 20;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

process.on("SIGUSR2", () => {
  while (existsSync(process.env.BLOCKED_WHILE)) Atomics.wait(sleeper, 0, 0, LOOK_EVERY_MS);
});

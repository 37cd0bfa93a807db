import { runEntry } from "@hourglass/runtime/entry";

// Entry point; what it runs is in run.ts.
await runEntry(new URL("../bundle/run.js", import.meta.url), () => import("./run.js"));

import { runEntry } from "@hourglass/runtime/entry";

// Entry point; what it runs is in serve.ts.
await runEntry(new URL("bundle/serve.js", import.meta.url), () => import("./serve.js"));

import workerpool from "workerpool";
import { renderPreview } from "../media/preview.js";
import type { MediaFacts } from "../media/probe/facts.js";
import type { EngineSettings } from "../types.js";
import { reported, watchMemory } from "../pool/child-process.js";
import type { ChildResult } from "../pool/media-pool.js";

// Entry point of a process that makes previews. It ends with its parent, and if it exceeds its memory limit.

let settings: EngineSettings = {};

/** Called once, before anything else. Returns the process id. */
function start(given: EngineSettings): number {
  settings = given;
  watchMemory(given.media?.memoryMaxMb);
  return process.pid;
}

function preview(file: string, facts: MediaFacts, width: number): Promise<ChildResult<Uint8Array>> {
  return reported(() => renderPreview(file, facts, { width, settings: settings.media ?? {} }));
}

// Ctrl-C reaches all processes of a terminal; the parent decides when this one ends.
process.on("SIGINT", () => undefined);
workerpool.worker({ start, preview });

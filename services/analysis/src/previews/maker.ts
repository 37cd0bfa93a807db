import type { Owner } from "@hourglass/runtime/fair-limit";
import type { MediaFacts } from "../media/probe/facts.js";
import { DecodingProcesses } from "../pool/media-pool.js";
import { Scratch } from "../pool/scratch.js";

export { LateFileError, type MediaFacts, UnreadableFileError } from "../media/probe/facts.js";

const CHILD = new URL("./child.js", import.meta.url);
/** The largest picture that is accepted needs about half of it. In MiB. */
const MEMORY_MAX_MB = 768;
const PROCESSOR_MAX_MS = 20_000;
const CLOCK_MAX_MS = 60_000;

export interface PreviewSettings {
  ffmpegPath: string | undefined;
  /** The environment of the processes that decode; contains no secrets. */
  environment: Readonly<Record<string, string>>;
}

export interface PreviewRequest {
  facts: MediaFacts;
  /** Pixels. */
  width: number;
  owner: Owner;
  signal: AbortSignal;
}

/** Makes small pictures of files, two at a time and one of each owner, in processes of their own. */
export class PreviewMaker {
  private readonly processes: DecodingProcesses;
  private scratch: Promise<Scratch> | undefined;

  constructor({ ffmpegPath, environment }: PreviewSettings) {
    const media = { processes: 1, memoryMaxMb: MEMORY_MAX_MB, ffmpegPath, environment: { ...environment } };
    this.processes = new DecodingProcesses({ child: CHILD, settings: { media } });
  }

  /**
   * A WebP at most so wide. Rejects with UnreadableFileError because of the file, with LateFileError because of a busy
   * machine, and with the errors of the stream and the signal.
   */
  async make(bytes: AsyncIterable<Uint8Array>, request: PreviewRequest): Promise<Uint8Array> {
    const { facts, width, owner, signal } = request;
    this.scratch ??= Scratch.open().catch((error: unknown) => {
      this.scratch = undefined;
      throw error;
    });
    const scratch = await this.scratch;
    return scratch.hold(bytes, (file) => {
      const limits = { processorMaxMs: PROCESSOR_MAX_MS, clockMaxMs: CLOCK_MAX_MS };
      return this.processes.run<Uint8Array>(
        { name: "preview", args: [file, facts, width] },
        { owner, signal, ...limits },
      );
    });
  }

  async close(): Promise<void> {
    await this.processes.close();
    await (await this.scratch)?.close();
  }
}

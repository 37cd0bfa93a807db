import { fileURLToPath } from "node:url";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { loadOnnxRuntime } from "../onnx-runtime.js";
import { ENCODER_TASKS, ENCODER_WEIGHTS_FILE, type EncoderCard, type EncoderTaskName, TASK_OUTPUTS } from "./card.js";
import type { WindowInput } from "./windows.js";

/** Outputs for every token. */
export const TOKEN_HEADS = ["entity", "pos", "left", "right", "before", "after"] as const;
export type TokenHead = (typeof TOKEN_HEADS)[number];

/** Scores of the labels of each classification, before the temperature. */
export type Logits = Readonly<Record<EncoderTaskName, Float32Array>>;

/** The network's output for a window. */
export interface WindowOutput {
  readonly logits: Logits;
  /** The scores of a piece, by its index including the start piece; empty if the network lacks the head. */
  readonly rowOf: (head: TokenHead, piece: number) => Float32Array;
}

/** Runs the network on windows; output `i` belongs to window `i` and does not depend on the others. */
export type RunWindows = (windows: readonly WindowInput[]) => Promise<WindowOutput[]>;

/**
 * Loads the network for the calling thread. It computes on that thread alone, because the pool already has one thread
 * per core. Its memory is freed with the thread.
 */
export const openSession = async (folder: URL, card: EncoderCard): Promise<RunWindows> => {
  const onnx = await loadOnnxRuntime();
  onnx.env.logLevel = "error";
  const file = fileURLToPath(new URL(ENCODER_WEIGHTS_FILE, folder));
  const session = await onnx.InferenceSession.create(file, OPTIONS);
  const sizes = sizesOf(card);
  const expected = [...Object.values(TASK_OUTPUTS), ...TOKEN_HEADS.filter((head) => sizes[head] > 0)];
  const missing = expected.filter((name) => !session.outputNames.includes(name));
  if (missing.length > 0) throw new Error(`the encoder's ${ENCODER_WEIGHTS_FILE} has no output ${missing.join(", ")}`);
  return async (windows) => {
    const outputs: WindowOutput[] = [];
    for (const indices of planRuns(windows.map(({ ids }) => ids.length))) {
      const run = indices.map((index) => windows[index]!);
      const made = await session.run(feedsOf(run, onnx.Tensor));
      indices.forEach((index, at) => (outputs[index] = outputOf(made, at, card, sizes)));
    }
    return outputs;
  };
};

/** The useful fusions are already in the file. The arena saves some 50 MB of heap fragmentation; run sizes bound it. */
const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "disabled",
  enableCpuMemArena: true,
  enableMemPattern: false,
  logSeverityLevel: 4,
};

/** Pads the windows to the length of the longest. */
const feedsOf = (windows: readonly WindowInput[], TensorOf: typeof Tensor): InferenceSession.FeedsType => {
  const width = windows.reduce((most, { ids }) => Math.max(most, ids.length), 0);
  const [ids, mask, types] = [0, 1, 2].map(() => new BigInt64Array(windows.length * width)) as [Cells, Cells, Cells];
  windows.forEach((window, row) => {
    window.ids.forEach((id, column) => {
      const at = row * width + column;
      ids[at] = BigInt(id);
      mask[at] = 1n;
      types[at] = BigInt(window.shapes[column] ?? 0);
    });
  });
  const tensor = (cells: Cells): Tensor => new TensorOf("int64", cells, [windows.length, width]);
  return { input_ids: tensor(ids), attention_mask: tensor(mask), token_type_ids: tensor(types) };
};

type Cells = BigInt64Array;

const NONE = new Float32Array();

const outputOf = (
  outputs: InferenceSession.ReturnType,
  at: number,
  { tasks }: EncoderCard,
  sizes: HeadSizes,
): WindowOutput => {
  const rowsOf = (name: string, length: number): Float32Array => {
    const data = outputs[name]?.data;
    if (!(data instanceof Float32Array)) throw new Error(`the encoder's output ${name} is not of 32-bit floats`);
    return data.subarray(at * length, (at + 1) * length);
  };
  const scores = ENCODER_TASKS.map((task) => [task, rowsOf(TASK_OUTPUTS[task], tasks[task].labels.length)] as const);
  const width = outputs["entity"]?.dims[1] ?? 0;
  return {
    logits: Object.fromEntries(scores) as Record<EncoderTaskName, Float32Array>,
    rowOf: (head, piece) => {
      const size = sizes[head];
      return size === 0 ? NONE : rowsOf(head, width * size).subarray(piece * size, (piece + 1) * size);
    },
  };
};

type HeadSizes = Readonly<Record<TokenHead, number>>;

const sizesOf = ({ tags }: EncoderCard): HeadSizes => ({
  entity: tags.entity.length,
  pos: tags.pos.length,
  left: tags.left,
  right: tags.right,
  before: tags.before ?? 0,
  after: tags.after ?? 0,
});

/**
 * Pieces per run, including padding. From half of this to four times as many are equally fast; more would exceed the
 * processor's cache between two layers, and take more memory.
 */
const PIECES_PER_RUN_MAX = 256;
/**
 * Padding is computed like text. A separate run costs as much as a few pieces; beyond this much padding it is cheaper.
 */
const PADDING_MAX = 16;
/** The limit for large runs, whose last windows would otherwise form their own runs. */
const PADDING_SHARE_MAX = 0.1;

/** Groups windows of similar length into runs: the indices of each run, given the number of pieces of every window. */
export const planRuns = (lengths: readonly number[]): number[][] => {
  const order = lengths.map((_, i) => i).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0));
  const runs: number[][] = [];
  let run: number[] = [];
  let padding = 0;
  for (const index of order) {
    const width = lengths[run[0] ?? index] ?? 0;
    const wasted = padding + width - (lengths[index] ?? 0);
    const size = width * (run.length + 1);
    const fits = size <= PIECES_PER_RUN_MAX && wasted <= Math.max(PADDING_MAX, size * PADDING_SHARE_MAX);
    if (run.length > 0 && !fits) {
      runs.push(run);
      [run, padding] = [[], 0];
    } else {
      padding = wasted;
    }
    run.push(index);
  }
  if (run.length > 0) runs.push(run);
  return runs;
};

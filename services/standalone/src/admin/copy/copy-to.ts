import { armFailpoints, createLogger } from "@hourglass/runtime";
import type { AdminConfig } from "../config.js";
import { printProgress } from "../output.js";
import { describe } from "./compare.js";
import { copyAll } from "./copy-all.js";
import { configuredPlace, mustBeApart, namedPlace, nameOf, type Place } from "./place.js";
import { Progress } from "../progress.js";
import { openSource, openTarget } from "./side.js";

/** Copies all state to that place; returns the lines to print. */
export async function copyTo(to: string, config: AdminConfig): Promise<string[]> {
  armFailpoints(config.failpoints);
  const [from, into] = [configuredPlace(config), namedPlace(to)];
  mustBeApart(from, into);
  if ("url" in from) printProgress(`Nothing may use ${nameOf(from)} meanwhile: all parts must be stopped.`);
  const options = { log: createLogger("silent"), passphrase: config.auth.signingKeyPassphrase };
  const source = await openSource(from, options);
  try {
    const target = await openTarget(into, options);
    try {
      const compared = await copyAll({ source, target }, new Progress(printProgress));
      return [`Copied to ${target.name}`, ...compared.map(describe), ...nextSteps(into, config)];
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** What to set so that servers use the copy. */
function nextSteps(target: Place, { auth }: AdminConfig): string[] {
  if ("folder" in target) return [`To use it, set DATA_DIR to ${target.folder}, and do not set MONGODB_URL.`];
  const keys =
    auth.signingKeyPassphrase === undefined
      ? "Its signing keys are not encrypted, because SIGNING_KEY_PASSPHRASE is not set."
      : "Its signing keys are encrypted with SIGNING_KEY_PASSPHRASE: auth needs the same one.";
  return [`To use it, set MONGODB_URL. ${keys}`];
}

import { words } from "../words/words.js";
import { Chip, type ChipTone } from "./chip.js";

const TONES: Readonly<Record<string, ChipTone>> = {
  collecting: "ok",
  waiting: "ok",
  importing: "ok",
  auth_failed: "danger",
  failing: "danger",
  stalled: "danger",
  budget_spent: "warn",
  not_configured: "warn",
};

/** Whether nothing can be collected until somebody does something. */
export function isTrouble(state: string): boolean {
  return TONES[state] === "danger" || state === "not_configured";
}

/** The state of a platform in a word; one that this version does not know is shown by its name. */
export function PlatformState({ state }: { readonly state: string }) {
  return <Chip tone={TONES[state] ?? "plain"}>{words.platformStates[state] ?? state}</Chip>;
}

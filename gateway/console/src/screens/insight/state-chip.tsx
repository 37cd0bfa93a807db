import type { Insight } from "../../data/insights.js";
import { Chip, type ChipTone } from "../../parts/chip.js";
import { words } from "../../words/words.js";

/** A state that this version does not know is shown by its name. */
const TONES: Readonly<Record<string, ChipTone>> = { running: "ok", paused: "warn", failed: "danger" };

/** Whether an insight collects. */
export function StateChip({ insight: { status, error } }: { readonly insight: Insight }) {
  const { insights, labels } = words;
  const title = status === "paused" ? insights.pausedHelp : error === undefined ? undefined : insights.failed(error);
  return (
    <Chip tone={TONES[status] ?? "plain"} {...(title === undefined ? {} : { title })}>
      {labels.state(status)}
    </Chip>
  );
}

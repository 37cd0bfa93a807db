import type { Insight } from "../../data/insights.js";
import { Chip, type ChipTone } from "../../parts/chip.js";
import { words } from "../../words/words.js";

/** A state that this version does not know is shown by its name. */
const TONES: Readonly<Record<string, ChipTone>> = { running: "ok", paused: "warn", failed: "danger" };

/** Whether an insight collects. */
export function StateChip({ insight: { status, error, query } }: { readonly insight: Insight }) {
  const { insights, labels } = words;
  const isPreview = query.sneak_peek;
  const title =
    error !== undefined
      ? insights.failed(error)
      : isPreview
        ? insights.previewHelp
        : status === "paused"
          ? insights.pausedHelp
          : undefined;
  return (
    <Chip tone={TONES[status] ?? "plain"} {...(title === undefined ? {} : { title })}>
      {isPreview ? insights.previewState(labels.state(status)) : labels.state(status)}
    </Chip>
  );
}

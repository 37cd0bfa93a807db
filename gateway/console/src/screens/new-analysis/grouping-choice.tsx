import { Select, TextArea } from "../../parts/field.js";
import { analysisWords } from "../../words/analyses.js";
import type { Draft, DraftTexts } from "./draft.js";
import { GROUPINGS, type GroupFault } from "./groups.js";
import styles from "./new-analysis.module.css";
import { ColumnSelect } from "./texts-input.js";

export interface GroupingChoiceProps {
  readonly draft: Draft;
  readonly found: DraftTexts;
  readonly faults: readonly GroupFault[];
  readonly error: string | undefined;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** Which texts get a personality together. */
export function GroupingChoice({ draft, found, faults, error, onChange }: GroupingChoiceProps) {
  const w = analysisWords.create;
  const { grouping } = draft;
  const hasTable = found.table !== undefined && draft.split === "column";
  const offered = GROUPINGS.filter((value) => value !== "column" || hasTable);
  const [fault] = faults;
  const said =
    fault === undefined ? error : w.lineFault(fault.line, fault.text.slice(0, 80), w.groupFaults[fault.kind]);
  return (
    <div class={styles["fields"]}>
      <Select
        label={w.grouping}
        value={grouping}
        options={offered.map((value) => ({ value, label: w.groupings[value] ?? value }))}
        onChange={(value) => onChange({ grouping: value })}
      />
      {grouping === "column" && found.table !== undefined ? (
        <ColumnSelect
          label={w.groupColumn}
          table={found.table}
          hasHeader={draft.hasHeader}
          value={draft.groupColumn}
          onChange={(groupColumn) => onChange({ groupColumn })}
        />
      ) : null}
      {grouping === "own" ? (
        <TextArea
          label={w.ownGroups}
          help={w.ownGroupsHelp}
          rows={3}
          value={draft.ownGroups}
          error={said}
          onInput={(ownGroups) => onChange({ ownGroups })}
        />
      ) : null}
    </div>
  );
}

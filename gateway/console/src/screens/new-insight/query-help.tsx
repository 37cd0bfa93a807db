import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { words } from "../../words/new-insight.js";
import styles from "./new-insight.module.css";

/** The language of keywords on one page. */
export function QueryHelp({ onClose }: { readonly onClose: () => void }) {
  const w = words.queryHelp;
  return (
    <Dialog title={w.title} onClose={onClose} isWide>
      <DataTable
        caption={w.title}
        columns={[
          { key: "write", label: w.write, value: ([example]) => <code>{example}</code> },
          { key: "finds", label: w.finds, value: ([, finds]) => finds },
        ]}
        rows={w.rows}
        rowKey={([example]) => example}
      />
      <ul class={styles["rules"]}>
        {w.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </Dialog>
  );
}

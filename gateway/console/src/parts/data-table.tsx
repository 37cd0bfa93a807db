import type { ComponentChildren } from "preact";
import { words } from "../words/words.js";
import styles from "./data-table.module.css";

export interface Column<R> {
  readonly key: string;
  readonly label: string;
  readonly value: (row: R) => ComponentChildren;
  /** Numbers stand at the end of their cells. */
  readonly isNumber?: boolean;
}

export interface DataTableProps<R> {
  /** What the table shows, for those who do not see its place. */
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly rowKey: (row: R) => string | number;
}

/** A table; the first column names the row. It scrolls within itself where it is too wide. */
export function DataTable<R>({ caption, columns, rows, rowKey }: DataTableProps<R>) {
  return (
    <div class={styles["scroll"]} tabIndex={0} role="region" aria-label={words.frame.tableOf(caption)}>
      <table class={styles["table"]}>
        <caption class="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, label, isNumber }) => (
              <th key={key} scope="col" class={isNumber === true ? styles["end"] : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, value, isNumber }, index) =>
                index === 0 ? (
                  <th key={key} scope="row">
                    {value(row)}
                  </th>
                ) : (
                  <td key={key} class={isNumber === true ? styles["end"] : undefined}>
                    {value(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

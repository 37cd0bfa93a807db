import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { csvOf, save, type Table } from "../data/csv.js";
import { words } from "../words/words.js";
import { Button } from "./button.js";
import { DataTable } from "./data-table.js";
import styles from "./figure.module.css";

export interface FigureProps {
  readonly title: string;
  /** What the picture says, with its numbers. */
  readonly sentence: ComponentChildren;
  /** The same numbers; also what the CSV holds. */
  readonly table: Table;
  /** Name of the CSV file without its ending. */
  readonly file: string;
  /** Of what the numbers are, where it is not all: coverage, hidden parts. */
  readonly under?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A picture of numbers. There is no other way to show one, so each has a sentence, a table and a CSV. */
export function Figure({ title, sentence, table, file, under, children }: FigureProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  const columns = table.columns.map((label, at) => ({
    key: String(at),
    label,
    isNumber: table.rows.some((row) => typeof row[at] === "number"),
    value: (row: Table["rows"][number]) => row[at] ?? words.frame.none,
  }));
  return (
    <section class={styles["figure"]} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p class={styles["sentence"]}>{sentence}</p>
      </div>
      <div class={styles["content"]}>
        {isTable ? (
          <DataTable caption={title} columns={columns} rows={table.rows} rowKey={(row) => table.rows.indexOf(row)} />
        ) : (
          children
        )}
      </div>
      {under}
      <div class={styles["foot"]}>
        <Button kind="plain" isSmall pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? words.frame.chart : words.frame.table}
        </Button>
        <Button kind="plain" isSmall onClick={() => save(`${file}.csv`, csvOf(table), "text/csv")}>
          {words.frame.csv}
        </Button>
      </div>
    </section>
  );
}

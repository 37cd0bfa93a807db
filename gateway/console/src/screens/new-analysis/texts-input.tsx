import { useRef } from "preact/hooks";
import { Button } from "../../parts/button.js";
import { Check, Select, TextArea } from "../../parts/field.js";
import { Menu } from "../../parts/menu.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import { type Draft, type DraftTexts } from "./draft.js";
import styles from "./new-analysis.module.css";
import { longestColumn, readTable, type TextTable } from "./table-text.js";
import { SPLITS } from "./texts.js";

/** Longer than this, a text is not looked at for being a table while it is typed. In characters. */
const TABLE_CHECK_MAX = 200_000;
/** Longer than this, a text is shown by its beginning, and not edited here. In characters, as is what is shown. */
const EDITED_MAX = 500_000;
const START_LENGTH = 1_000;
const FAULTS_SHOWN = 5;

export interface TextsInputProps {
  readonly draft: Draft;
  readonly found: DraftTexts;
  readonly charactersMax: number;
  readonly error: string | undefined;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** Texts that are typed, pasted, or read from a file: lines, blocks, all of it, or a column of a table. */
export function TextsInput({ draft, found, charactersMax, error, onChange }: TextsInputProps) {
  const w = analysisWords.create;
  const picker = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const { text, split } = draft;
  const table = split === "column" || text.length > TABLE_CHECK_MAX ? undefined : readTable(text);
  const takeColumn = (of: TextTable): void => {
    const column = Math.max(0, longestColumn(of));
    onChange({ split: "column", column, groupColumn: column === 0 ? 1 : 0 });
  };
  const fill = (sample: keyof typeof w.sampleTexts): void => {
    onChange({ text: w.sampleTexts[sample], split: sample === "mixed" ? "lines" : "whole" });
    area.current?.focus();
  };
  return (
    <div class={styles["stack"]}>
      {text.length > EDITED_MAX ? (
        <div class={styles["large"]}>
          <strong>{w.textLabel}</strong>
          <pre dir="auto">{text.slice(0, START_LENGTH)}…</pre>
          <span class={styles["row"]}>
            <span class="small muted">{w.largeText(text.length)}</span>
            <Button isSmall onClick={() => onChange({ text: "", part: undefined })}>
              {words.frame.remove}
            </Button>
          </span>
        </div>
      ) : (
        <TextArea
          label={w.textLabel}
          value={text}
          rows={8}
          placeholder={w.textPlaceholder}
          areaRef={area}
          error={error}
          onInput={(value) => onChange({ text: value })}
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData("text/plain") ?? "";
            if (pasted.length <= EDITED_MAX) return;
            // A field with megabytes of text would keep the browser busy for many seconds.
            event.preventDefault();
            onChange({ text: text + pasted });
          }}
        />
      )}
      <div class={styles["row"]}>
        <Button isSmall icon="file" onClick={() => picker.current?.click()}>
          {w.readFile}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".txt,.csv,.tsv,text/plain,text/csv"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = "";
            if (file !== undefined) void readText(file).then((read) => onChange({ text: read }));
          }}
        />
        <Menu
          icon="down"
          label={w.samples}
          text={w.samples}
          items={(["review", "mixed", "spam"] as const).map((sample) => ({
            label: w.sampleNames[sample],
            onSelect: () => fill(sample),
          }))}
        />
        {table === undefined ? null : (
          <span class={styles["hint"]}>
            {w.looksLikeTable(table.columnCount)}
            <Button isSmall onClick={() => takeColumn(table)}>
              {w.takeColumn}
            </Button>
          </span>
        )}
      </div>
      <div class={styles["fields"]}>
        <Select
          label={w.split}
          value={split}
          options={SPLITS.map((value) => ({ value, label: w.splits[value] ?? value }))}
          onChange={(value) => {
            const of = value === "column" ? readTable(text) : undefined;
            if (of === undefined) onChange({ split: value });
            else takeColumn(of);
          }}
        />
        {split === "column" && found.table !== undefined ? (
          <>
            <ColumnSelect
              label={w.column}
              table={found.table}
              hasHeader={draft.hasHeader}
              value={draft.column}
              onChange={(column) => onChange({ column })}
            />
            <Check label={w.header} checked={draft.hasHeader} onChange={(hasHeader) => onChange({ hasHeader })} />
          </>
        ) : null}
      </div>
      {split === "column" && found.table === undefined && text.trim() !== "" ? (
        <p class={styles["fault"]} role="alert">
          {w.noTable}
        </p>
      ) : null}
      <TextFacts found={found} charactersMax={charactersMax} />
    </div>
  );
}

export interface ColumnSelectProps {
  readonly label: string;
  readonly table: TextTable;
  readonly hasHeader: boolean;
  readonly value: number;
  readonly onChange: (column: number) => void;
}

/** A column of a table, by its name. */
export function ColumnSelect({ label, table, hasHeader, value, onChange }: ColumnSelectProps) {
  const columns = Array.from({ length: table.columnCount }, (_, at) => ({
    value: String(at),
    label: analysisWords.create.columnName(at + 1, hasHeader ? (table.rows[0]?.[at] ?? "") : ""),
  }));
  return <Select label={label} value={String(value)} options={columns} onChange={(at) => onChange(Number(at))} />;
}

function TextFacts({ found, charactersMax }: { readonly found: DraftTexts; readonly charactersMax: number }) {
  const w = analysisWords.create;
  const { texts, emptyCount, repeatedCount, longest, tooLong } = found;
  const facts = [
    w.texts(texts.length),
    ...(texts.length > 1 ? [w.longest(longest)] : []),
    ...(emptyCount > 0 ? [w.empty(emptyCount)] : []),
    ...(repeatedCount > 0 ? [w.repeated(repeatedCount)] : []),
  ];
  return (
    <div class={styles["stack"]}>
      <p class="small muted" role="status">
        {facts.join(" · ")}
      </p>
      {tooLong.length === 0 ? null : (
        <ul class={styles["faults"]} role="alert">
          {tooLong.slice(0, FAULTS_SHOWN).map(({ index, characters, start }) => (
            <li key={index}>{w.tooLong(index + 1, characters, charactersMax, start)}</li>
          ))}
          {tooLong.length > FAULTS_SHOWN ? <li>{w.moreFaults(tooLong.length - FAULTS_SHOWN)}</li> : null}
        </ul>
      )}
    </div>
  );
}

/** A file of text in UTF-8, in UTF-16 if it says so, or else as Windows writes it. */
async function readText(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

import { useRef, useState } from "preact/hooks";
import { fieldError } from "../../data/failure.js";
import { importFile, type Imported } from "../../data/imports.js";
import type { Insight } from "../../data/insights.js";
import { Button } from "../../parts/button.js";
import { Check, Select, TextArea, TextField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { Problem } from "../../parts/states.js";
import { words } from "../../words/collection.js";
import styles from "./collection.module.css";

const FORMATS = ["", "d/m/yyyy", "m/d/yyyy", "iso", "unix", "unix_ms", "excel"] as const;

type Format = (typeof FORMATS)[number];

interface Outcome {
  readonly isTrial: boolean;
  readonly imported: Imported;
}

/** Brings in a file of postings. It is tried first, and what the server says of it is shown. */
export function ImportPostings({ insight }: { readonly insight: Insight }) {
  const w = words.collection.import;
  const picker = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [format, setFormat] = useState<Format>("");
  const [zone, setZone] = useState("");
  const [map, setMap] = useState("");
  const [match, setMatch] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const [failure, setFailure] = useState<unknown>();
  const send = async (isTrial: boolean): Promise<void> => {
    if (file === undefined || isBusy) return;
    setBusy(true);
    setFailure(undefined);
    setOutcome(undefined);
    try {
      const options = { date_format: format, time_zone: zone.trim(), map: map.trim(), match, validate_only: isTrial };
      setOutcome({ isTrial, imported: await importFile(insight.id, file, options) });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const wrongFormat = fieldError(failure, "date_format");
  const unready = file === undefined ? { disabled: true, reason: w.chooseFirst } : {};
  return (
    <section class={styles["stack"]}>
      <h2>{w.title}</h2>
      <p>{w.help}</p>
      <Form class={styles["stack"]} label={w.title} onSubmit={() => send(true)}>
        <div class={styles["row"]}>
          <Button icon="file" onClick={() => picker.current?.click()}>
            {w.choose}
          </Button>
          <span role="status" dir="auto">
            {file === undefined ? null : w.chosen(file.name, file.size)}
          </span>
          <input
            ref={picker}
            type="file"
            hidden
            accept=".csv,.tsv,.tab,.txt,.ndjson,.jsonl,.json"
            onChange={({ currentTarget }) => {
              setFile(currentTarget.files?.[0]);
              setOutcome(undefined);
              setFailure(undefined);
              // The same file can be chosen once more.
              currentTarget.value = "";
            }}
          />
        </div>
        <Select
          label={w.format}
          help={w.formatHelp}
          error={wrongFormat}
          value={format}
          options={FORMATS.map((value) => ({ value, label: w.formats[value] }))}
          onChange={setFormat}
        />
        <TextField
          label={w.zone}
          isOptional
          placeholder="Europe/Lisbon"
          error={fieldError(failure, "time_zone")}
          value={zone}
          onInput={setZone}
        />
        <TextArea
          label={w.map}
          isOptional
          help={w.mapHelp}
          placeholder='{"platform":{"value":"reddit"},"posted_at":"created","text_of_post":"body"}'
          rows={2}
          value={map}
          onInput={setMap}
        />
        <Check label={w.match} checked={match} onChange={setMatch} />
        <div class={styles["row"]}>
          <Button type="submit" {...(isBusy ? { disabled: true, reason: w.busy } : unready)}>
            {w.trial}
          </Button>
          <Button onClick={() => void send(false)} {...(isBusy ? { disabled: true, reason: w.busy } : unready)}>
            {w.import}
          </Button>
        </div>
      </Form>
      {failure === undefined ? null : <Problem error={failure} />}
      <div role="status">{outcome === undefined ? null : <Report {...outcome} />}</div>
    </section>
  );
}

/** Rows of which the reason is shown. */
const ROWS_SHOWN = 20;

function Report({ isTrial, imported }: Outcome) {
  const w = words.collection.import;
  const { accepted, duplicates, unmatched = 0, skipped = 0, skipped_rows: rows = [], warnings } = imported;
  return (
    <div class={styles["stack"]}>
      <p>{w.done({ isTrial, accepted, duplicates, unmatched, skipped })}</p>
      {warnings.length === 0 ? null : (
        <ul aria-label={w.warnings}>
          {warnings.map((warning) => (
            <li key={warning} dir="auto">
              {warning}
            </li>
          ))}
        </ul>
      )}
      {rows.length === 0 ? null : (
        <ul aria-label={w.leftOut}>
          {rows.slice(0, ROWS_SHOWN).map(({ row, message }) => (
            <li key={row} dir="auto">
              {w.row(row)}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

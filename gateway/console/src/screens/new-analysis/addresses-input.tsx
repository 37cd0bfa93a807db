import { TextArea } from "../../parts/field.js";
import { analysisWords } from "../../words/analyses.js";
import type { AddressFault } from "./addresses.js";
import styles from "./new-analysis.module.css";

const FAULTS_SHOWN = 5;

export interface AddressesInputProps {
  readonly value: string;
  readonly addresses: readonly string[];
  readonly faults: readonly AddressFault[];
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Addresses of files, a line each. */
export function AddressesInput({ value, addresses, faults, error, onChange }: AddressesInputProps) {
  const w = analysisWords.create;
  return (
    <div class={styles["stack"]}>
      <TextArea
        label={w.urlLabel}
        help={w.urlHelp}
        value={value}
        rows={6}
        placeholder="https://"
        error={error}
        onInput={onChange}
      />
      <p class="small muted" role="status">
        {w.addresses(addresses.length)}
      </p>
      {faults.length === 0 ? null : (
        <ul class={styles["faults"]}>
          {faults.slice(0, FAULTS_SHOWN).map(({ line, text, kind }) => (
            <li key={line}>{w.lineFault(line, text.slice(0, 80), w.urlFaults[kind])}</li>
          ))}
          {faults.length > FAULTS_SHOWN ? <li>{w.moreFaults(faults.length - FAULTS_SHOWN)}</li> : null}
        </ul>
      )}
    </div>
  );
}

import { useState } from "preact/hooks";
import { cut, type Posting } from "../../data/posting-view.js";
import { Icon } from "../../parts/icon.js";
import { words } from "../../words/postings.js";
import styles from "./postings.module.css";

/** Of a field that holds very much, so much is shown. In UTF-16 units. */
const VALUE_MAX = 2_000;

/** All fields of a posting by their names in the interface, as they are stored. */
export function PostingFields({ posting }: { readonly posting: Posting }) {
  const [isOpen, setOpen] = useState(false);
  const fields = Object.entries(posting).filter(([name]) => name !== "analyses");
  return (
    <details class={styles["fields"]} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="down" size={14} />
        {words.postings.fields(fields.length)}
      </summary>
      {isOpen ? (
        <dl>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd dir="auto">
                {value === null ? <span class="muted">{words.postings.notStated}</span> : <Value value={value} />}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </details>
  );
}

function Value({ value }: { readonly value: unknown }) {
  if (typeof value === "string") return <>{cut(value, VALUE_MAX)}</>;
  const text = JSON.stringify(value, null, 2);
  return <pre>{cut(text, VALUE_MAX)}</pre>;
}

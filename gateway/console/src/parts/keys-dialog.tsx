import { words } from "../words/words.js";
import { Dialog } from "./dialog.js";
import { Check } from "./field.js";
import styles from "./keys-dialog.module.css";
import { setSingleKeys, shortcutsNow, singleKeys, type Shortcut } from "./keys.js";

const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  "Shift+ArrowLeft": "Shift ←",
  "Shift+ArrowRight": "Shift →",
  Escape: "Esc",
  " ": "Space",
};

/** All keys of this screen. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { everywhere, here } = shortcutsNow();
  return (
    <Dialog title={words.keys.title} onClose={onClose} isWide>
      <div class={styles["columns"]}>
        <Group
          title={words.keys.everywhere}
          shortcuts={[{ keys: "Ctrl K", label: words.keys.palette, run: onClose }, ...everywhere]}
        />
        {here.length === 0 ? null : <Group title={words.keys.here} shortcuts={here} />}
      </div>
      <Check
        label={words.keys.singleKeys}
        help={words.keys.singleKeysHelp}
        checked={singleKeys.value}
        onChange={setSingleKeys}
      />
    </Dialog>
  );
}

function Group({ title, shortcuts }: { readonly title: string; readonly shortcuts: readonly Shortcut[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <dl class={styles["list"]}>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys} class={styles["row"]}>
            <dt>
              <KeyNames keys={keys} />
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function KeyNames({ keys }: { readonly keys: string }) {
  const each = keys === " " ? [" "] : keys.split(" ");
  return (
    <>
      {each.map((key) => (
        <kbd key={key}>{NAMES[key] ?? key}</kbd>
      ))}
    </>
  );
}

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { commandsNow, matching, type Command } from "../data/commands.js";
import { words } from "../words/words.js";
import { Dialog } from "./dialog.js";
import styles from "./palette.module.css";

export interface PaletteProps {
  readonly onClose: () => void;
  readonly onGo: (href: string) => void;
  /** Records that can be opened. */
  readonly records: readonly Command[];
}

/** Opens screens and records, and does what the screen can do, by a few letters. */
export function Palette({ onClose, onGo, records }: PaletteProps) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  // The dialog is open by then: otherwise it gives the focus to its first button.
  useEffect(() => field.current?.focus(), []);
  const id = useId();
  const found = matching([...commandsNow(), ...records], text).slice(0, 50);
  const current = Math.min(at, Math.max(0, found.length - 1));
  const choose = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    if (command.href === undefined) command.run?.();
    else onGo(command.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      setAt((to + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(found[current]);
    }
  };
  return (
    <Dialog title={words.keys.palette} onClose={onClose}>
      <input
        ref={field}
        class={styles["input"]}
        type="text"
        role="combobox"
        aria-label={words.keys.palettePlaceholder}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${current}`}
        placeholder={words.keys.palettePlaceholder}
        autoComplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 ? <p role="status">{words.keys.paletteEmpty}</p> : null}
      <div id={`${id}-list`} class={styles["list"]} role="listbox" aria-label={words.keys.palette}>
        {found.map((command, index) => (
          <div
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            class={styles["option"]}
            ref={(element) => {
              if (index === current) element?.scrollIntoView({ block: "nearest" });
            }}
            onClick={() => choose(command)}
          >
            <span>{command.label}</span>
            <span class="muted small">{command.hint ?? command.group}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

import { useEffect, useState } from "preact/hooks";
import { words } from "../words/words.js";
import { Button } from "./button.js";
import styles from "./copy-button.module.css";

/** How long it says that it has copied. In milliseconds. */
const SAID_MS = 2_000;

/** Copies a text. Where the browser forbids that, the text is selected for Ctrl C. */
export function CopyButton({ text, label = words.frame.copy }: { readonly text: string; readonly label?: string }) {
  const [isManual, setManual] = useState(false);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (isManual) {
    return (
      <input
        class={styles["input"]}
        readOnly
        value={text}
        size={Math.min(60, text.length)}
        aria-label={words.frame.copyByHand}
        title={words.frame.copyByHand}
        ref={(field) => field?.select()}
        onBlur={() => setManual(false)}
      />
    );
  }
  return (
    <Button
      isSmall
      icon={isCopied ? "check" : "copy"}
      onClick={async () => {
        try {
          await navigator.clipboard.writeText(text);
          setCopied(true);
        } catch {
          setManual(true); // a page without https has no clipboard
        }
      }}
    >
      {isCopied ? words.frame.copied : label}
    </Button>
  );
}

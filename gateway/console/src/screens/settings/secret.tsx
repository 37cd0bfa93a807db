import { Button } from "../../parts/button.js";
import { CopyButton } from "../../parts/copy-button.js";
import { Dialog } from "../../parts/dialog.js";
import { words } from "../../words/settings.js";
import styles from "./settings.module.css";

export interface SecretProps {
  readonly title: string;
  readonly help: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A key or password that is shown once: only its button closes the dialog. */
export function Secret({ title, help, secret, onClose }: SecretProps) {
  return (
    <Dialog
      title={title}
      actions={
        <Button kind="primary" onClick={onClose}>
          {words.settings.keys.done}
        </Button>
      }
    >
      <div class={styles["stack"]}>
        <p>{help}</p>
        <code class={styles["secret"]}>{secret}</code>
        <div>
          <CopyButton text={secret} />
        </div>
      </div>
    </Dialog>
  );
}

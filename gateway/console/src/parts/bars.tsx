import { reachable } from "../data/api.js";
import { waiting } from "../data/patience.js";
import { isUpdated, useServer } from "../data/server.js";
import { words } from "../words/words.js";
import { Button } from "./button.js";
import styles from "./frame.module.css";

/** What concerns every screen: invented data, no connection, a server that asks to wait, a new version. */
export function Bars() {
  const { data: server } = useServer();
  const { frame } = words;
  const wait = waiting.value;
  return (
    <>
      {server?.demo === true ? <div class={styles["bar"]}>{frame.demo}</div> : null}
      <div role="status" aria-live="polite">
        {reachable.value ? null : <div class={`${styles["bar"] ?? ""} ${styles["warn"] ?? ""}`}>{frame.offline}</div>}
        {wait === undefined ? null : (
          <div class={`${styles["bar"] ?? ""} ${styles["warn"] ?? ""}`}>{frame.waiting(wait.seconds, wait.status)}</div>
        )}
        {isUpdated.value ? (
          <div class={styles["bar"]}>
            {frame.updated}
            <Button isSmall onClick={() => location.reload()}>
              {frame.reload}
            </Button>
          </div>
        ) : null}
      </div>
    </>
  );
}

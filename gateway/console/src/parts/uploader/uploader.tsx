import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, share } from "../../words/numbers.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import { Button } from "../button.js";
import { Icon } from "../icon.js";
import { Progress } from "../progress.js";
import type { UploadItem } from "./upload-queue.js";
import styles from "./uploader.module.css";

export interface UploaderProps {
  readonly items: readonly UploadItem[];
  readonly help: ComponentChildren;
  /** What the browser offers in its picker, such as `.png,.jpg`. */
  readonly accept: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRemove: (key: string) => void;
  readonly onRetry: (key: string) => void;
}

/** Files by dropping, pasting or choosing, each with its progress. */
export function Uploader({ items, help, accept, onFiles, onRemove, onRetry }: UploaderProps) {
  const picker = useRef<HTMLInputElement>(null);
  const isOver = useDroppedAndPasted(onFiles);
  const w = analysisWords.create;
  const of = (kind: UploadItem["state"]["kind"]): UploadItem[] => items.filter(({ state }) => state.kind === kind);
  const failed = items.filter(({ state }) => state.kind === "failed" && state.mayRetry);
  const refused = of("refused");
  return (
    <div class={styles["uploader"]}>
      <div class={isOver ? `${styles["zone"] ?? ""} ${styles["over"] ?? ""}` : styles["zone"]}>
        <strong>{w.drop}</strong>
        <Button icon="plus" onClick={() => picker.current?.click()}>
          {w.pick}
        </Button>
        <span class="small muted">{help}</span>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          accept={accept}
          onChange={({ currentTarget }) => {
            onFiles([...(currentTarget.files ?? [])]);
            // The same file can be chosen once more.
            currentTarget.value = "";
          }}
        />
      </div>
      {items.length === 0 ? null : (
        <>
          <div class={styles["summary"]} role="status">
            <span>{w.summary(of("ready").length, items.length)}</span>
            {refused.length === 0 ? null : <span class={styles["bad"]}>{w.refusedCount(refused.length)}</span>}
            {of("failed").length === 0 ? null : <span class={styles["bad"]}>{w.failedCount(of("failed").length)}</span>}
            {failed.length < 2 ? null : (
              <Button isSmall onClick={() => failed.forEach(({ key }) => onRetry(key))}>
                {w.retryAll(failed.length)}
              </Button>
            )}
            {refused.length === 0 ? null : (
              <Button isSmall onClick={() => refused.forEach(({ key }) => onRemove(key))}>
                {w.removeRefused(refused.length)}
              </Button>
            )}
          </div>
          <ul class={styles["list"]} aria-label={w.files}>
            {items.map((item) => (
              <Row key={item.key} item={item} onRemove={() => onRemove(item.key)} onRetry={() => onRetry(item.key)} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface RowProps {
  readonly item: UploadItem;
  readonly onRemove: () => void;
  readonly onRetry: () => void;
}

function Row({ item, onRemove, onRetry }: RowProps) {
  const { name, size, file, state } = item;
  const w = analysisWords.create;
  return (
    <li class={styles["row"]}>
      <SmallPicture file={file} />
      <div class={styles["facts"]}>
        <span class={styles["name"]} dir="auto">
          {name}
        </span>
        <State item={item} />
      </div>
      <span class={styles["size"]}>{bytes(size)}</span>
      {state.kind === "failed" && state.mayRetry ? (
        <Button isSmall label={w.retryUpload(name)} onClick={onRetry}>
          {words.frame.retry}
        </Button>
      ) : null}
      <Button
        kind="plain"
        icon="close"
        label={state.kind === "uploading" ? w.cancelUpload(name) : w.takeOut(name)}
        onClick={onRemove}
      />
    </li>
  );
}

function State({ item: { name, state } }: { readonly item: UploadItem }) {
  const { fileStates, uploadOf } = analysisWords.create;
  switch (state.kind) {
    case "refused":
    case "failed":
      return <span class={styles["bad"]}>{state.reason}</span>;
    case "uploading": {
      const { sent, total } = state;
      return (
        <span class={styles["progress"]}>
          <Progress label={uploadOf(name)} done={sent} total={total} />
          {fileStates.uploading(share(total === 0 ? 0 : sent / total))}
        </span>
      );
    }
    case "ready":
      return (
        <span class={styles["ready"]}>
          <Icon name="check" size={14} />
          {fileStates.ready}
        </span>
      );
    default:
      return <span class="muted">{fileStates[state.kind]}</span>;
  }
}

/** A picture of a file of this computer; other kinds have a sign. */
function SmallPicture({ file }: { readonly file: File | undefined }) {
  const [url, setUrl] = useState<string>();
  const isPicture = file?.type === "image/png" || file?.type === "image/jpeg";
  useEffect(() => {
    if (file === undefined || !isPicture) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <span class={styles["picture"]}>
      {url === undefined ? (
        <Icon name="file" />
      ) : (
        <img src={url} alt="" loading="lazy" decoding="async" onError={() => setUrl(undefined)} />
      )}
    </span>
  );
}

/** Takes files that are dropped anywhere on the page, or pasted. Returns whether some are held over it. */
function useDroppedAndPasted(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const current = useRef(onFiles);
  current.current = onFiles;
  useEffect(() => {
    const hold = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      current.current([...event.dataTransfer.files]);
    };
    const paste = (event: ClipboardEvent): void => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      current.current(files);
    };
    addEventListener("dragover", hold);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    addEventListener("paste", paste);
    return () => {
      removeEventListener("dragover", hold);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
      removeEventListener("paste", paste);
    };
  }, []);
  return isOver;
}

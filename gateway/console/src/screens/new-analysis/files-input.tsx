import { useEffect, useMemo, useState } from "preact/hooks";
import { describeError } from "../../data/failure.js";
import { useUnusedFiles } from "../../data/files.js";
import { newIdempotencyKey } from "../../data/idempotency.js";
import type { Server } from "../../data/server.js";
import { uploadFile } from "../../data/uploads.js";
import { Button } from "../../parts/button.js";
import { UploadQueue } from "../../parts/uploader/upload-queue.js";
import { Uploader } from "../../parts/uploader/uploader.js";
import { bytes } from "../../words/numbers.js";
import { ago } from "../../words/times.js";
import { analysisWords } from "../../words/analyses.js";
import { refusalOf } from "./file-check.js";
import styles from "./new-analysis.module.css";

type Limits = Server["limits"];

/** The files of a form, as long as it is shown. */
export function useUploadQueue(limits: Limits): UploadQueue {
  const queue = useMemo(
    () =>
      new UploadQueue({
        check: (file) => refusalOf(file, limits),
        upload: (file, options) => uploadFile(file, { ...options, name: file.name === "" ? "file" : file.name }),
        describe: (error) => {
          const { title, text, status, mayRetry } = describeError(error);
          // What the server says of a file is the whole reason.
          return { reason: status === undefined ? title : text, mayRetry };
        },
        newKey: newIdempotencyKey,
      }),
    [],
  );
  useEffect(() => () => queue.stop(), [queue]);
  return queue;
}

export interface FilesInputProps {
  readonly queue: UploadQueue;
  readonly limits: Limits;
  readonly error: string | undefined;
}

/** Files to upload, and those that were uploaded earlier for nothing. */
export function FilesInput({ queue, limits, error }: FilesInputProps) {
  const [notes, setNotes] = useState<readonly string[]>([]);
  const w = analysisWords.create;
  const add = (files: readonly File[]): void => {
    const { beyond, repeated } = queue.add(files, limits.contents);
    setNotes([
      ...(beyond === 0 ? [] : [w.beyond(beyond, limits.contents)]),
      ...(repeated === 0 ? [] : [w.repeatedFiles(repeated)]),
    ]);
  };
  return (
    <div class={styles["stack"]}>
      <Uploader
        items={queue.items.value}
        help={w.dropHelp(limits.upload_bytes, limits.media_seconds, limits.contents)}
        accept=".png,.jpg,.jpeg,.mp3,.mp4,image/png,image/jpeg,audio/mpeg,video/mp4"
        onFiles={add}
        onRemove={(key) => queue.remove(key)}
        onRetry={(key) => queue.retry(key)}
      />
      <div role="alert" class={styles["fault"]}>
        {error === undefined ? null : <p>{error}</p>}
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      <UnusedFiles queue={queue} />
    </div>
  );
}

/** Files that were uploaded and never analyzed, such as before a reload. */
function UnusedFiles({ queue }: { readonly queue: UploadQueue }) {
  const { data = [] } = useUnusedFiles();
  const w = analysisWords.create;
  const taken = new Set(queue.fileIds());
  // What this form is uploading is not yet in its list of files, but already on the server.
  const names = new Set(queue.items.value.map(({ name, size }) => `${name} ${size}`));
  const offered = data.filter(({ id, name, size }) => !taken.has(id) && !names.has(`${name} ${size}`));
  if (offered.length === 0) return null;
  return (
    <details class={styles["unused"]}>
      <summary>{w.unused(offered.length)}</summary>
      <div class={styles["row"]}>
        <span class="small muted">{w.unusedHelp}</span>
        <Button isSmall onClick={() => offered.forEach((file) => queue.addStored(file.id, file))}>
          {w.addAll}
        </Button>
      </div>
      <ul>
        {offered.map((file) => (
          <li key={file.id} class={styles["stored"]}>
            <span class={styles["name"]} dir="auto">
              {file.name}
            </span>
            <span class="small muted">{bytes(file.size)}</span>
            <span class="small muted">{ago(file.created_at)}</span>
            <Button isSmall label={w.addStored(file.name)} onClick={() => queue.addStored(file.id, file)}>
              {w.add}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

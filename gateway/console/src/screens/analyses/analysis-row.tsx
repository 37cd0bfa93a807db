import { hasEnded, type ListedAnalysis } from "../../data/analyses.js";
import { usePicture, useStoredFile } from "../../data/files.js";
import { Button } from "../../parts/button.js";
import { Chip, Chips } from "../../parts/chip.js";
import { Progress } from "../../parts/progress.js";
import { ago, moment } from "../../words/times.js";
import { analysisWords } from "../../words/analyses.js";
import { words } from "../../words/words.js";
import styles from "./analyses.module.css";

/** An analysis in the list. */
export function AnalysisRow({
  analysis,
  onDelete,
}: {
  readonly analysis: ListedAnalysis;
  readonly onDelete: (() => void) | undefined;
}) {
  const { id, status, query, progress, failed_contents: failed, created_at: at, preview } = analysis;
  const w = analysisWords.list;
  const title = analysisWords.title(analysis);
  const fileId = query.type === "file" && /^\d+$/.test(preview) ? Number(preview) : undefined;
  return (
    <li class={styles["item"]}>
      <div class={styles["main"]}>
        <a class={styles["name"]} href={`/analyses/${id}`} data-row dir="auto">
          {fileId === undefined ? null : <SmallPicture id={fileId} />}
          <span class={styles["title"]}>{title}</span>
        </a>
        <div class={styles["facts"]}>
          <StatusChip status={status} />
          <span>{analysisWords.counted(query.type, progress.total)}</span>
          {failed === null || failed === 0 ? null : <span class={styles["failed"]}>{w.failed(failed)}</span>}
          <time dateTime={at} title={moment(at)}>
            {ago(at)}
          </time>
        </div>
        {hasEnded(status) ? null : (
          <div class={styles["progress"]}>
            <Progress label={title} done={progress.done} total={progress.total} />
            <span class="small muted">{w.progress(progress.done, progress.total)}</span>
          </div>
        )}
        <Chips>
          {query.analyses.map((type) => (
            <Chip key={type}>{words.labels.analysis(type)}</Chip>
          ))}
        </Chips>
      </div>
      {onDelete === undefined ? null : <Button kind="plain" icon="trash" label={w.remove(title)} onClick={onDelete} />}
    </li>
  );
}

/** The state of an analysis, in words. */
export function StatusChip({ status }: { readonly status: string }) {
  const tone = status === "done" ? "ok" : status === "failed" || status === "invalid" ? "danger" : "plain";
  return <Chip tone={tone}>{words.labels.state(status)}</Chip>;
}

function SmallPicture({ id }: { readonly id: number }) {
  const { data: file } = useStoredFile(id);
  // Sound has none: then there is only the name.
  const { url } = usePicture(file === undefined || file.width === null ? undefined : id, 64);
  return url === undefined ? null : <img class={styles["thumbnail"]} src={url} alt="" />;
}

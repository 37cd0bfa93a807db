import {
  EXPORT_FORMATS,
  deleteExport,
  linkOf,
  useExports,
  type ExportFormat,
  type ListedExport,
} from "../../data/exports.js";
import { describeError } from "../../data/failure.js";
import { isUnderWay } from "../../data/running.js";
import { outdate } from "../../data/queries.js";
import { useMe } from "../../data/server.js";
import { Button, LinkButton } from "../../parts/button.js";
import { Chip, Chips } from "../../parts/chip.js";
import { DataTable, type Column } from "../../parts/data-table.js";
import { deleteLater, leaving } from "../../parts/deletion.js";
import { useKeys } from "../../parts/keys.js";
import { Menu } from "../../parts/menu.js";
import { useAddress } from "../../parts/navigation.js";
import { Screen } from "../../parts/screen.js";
import { EmptyState, Load } from "../../parts/states.js";
import { toast } from "../../parts/toasts.js";
import { bytes, number } from "../../words/numbers.js";
import { ago, moment } from "../../words/times.js";
import { words } from "../../words/exports.js";
import styles from "./exports.module.css";
import { NewExportForm } from "./new-export.js";

/** The exports of the company, and the form for a new one. */
export function Exports() {
  const { parameters, hrefWith, go } = useAddress();
  const { data: me } = useMe();
  const isNew = parameters.get("new") === "1";
  const list = useExports(parameters.get("cursor") ?? undefined);
  const mayChange = me?.role !== "viewer";
  const newHref = hrefWith({ new: "1" });
  useKeys([{ keys: "n", label: words.exports.create, run: () => go(newHref) }]);
  const close = (): void => go("/exports");
  return (
    <Screen
      title={words.exports.title}
      actions={
        isNew || !mayChange ? null : (
          <LinkButton kind="primary" icon="plus" href={newHref} shortcut="n">
            {words.exports.create}
          </LinkButton>
        )
      }
    >
      {isNew && mayChange ? <NewExportForm parameters={parameters} onDone={close} /> : null}
      <Load query={list} height="20rem">
        {({ exports, next_cursor: next }) => {
          const shown = exports.filter(({ id }) => !leaving.value.has(`export/${id}`));
          if (shown.length === 0) {
            return isNew ? null : (
              <EmptyState title={words.exports.none}>
                <p>{words.exports.noneHelp}</p>
              </EmptyState>
            );
          }
          return (
            <>
              <DataTable
                caption={words.exports.list}
                columns={mayChange ? [...COLUMNS, ACTIONS] : COLUMNS}
                rows={shown}
                rowKey={({ id }) => id}
              />
              <div class={styles["row"]}>
                {parameters.has("cursor") ? (
                  <LinkButton href={hrefWith({ cursor: undefined })}>{words.exports.newer}</LinkButton>
                ) : null}
                {next === null ? null : (
                  <LinkButton href={hrefWith({ cursor: next })}>{words.exports.older}</LinkButton>
                )}
              </div>
            </>
          );
        }}
      </Load>
    </Screen>
  );
}

const COLUMNS: readonly Column<ListedExport>[] = [
  { key: "what", label: words.exports.columns.what, value: (row) => <What row={row} /> },
  { key: "state", label: words.exports.columns.state, value: (row) => <State row={row} /> },
  {
    key: "rows",
    label: words.exports.columns.rows,
    isNumber: true,
    value: ({ rows }) => (rows === null ? "" : number(rows)),
  },
  { key: "files", label: words.exports.columns.files, value: (row) => <Files row={row} /> },
  {
    key: "created",
    label: words.exports.columns.created,
    value: ({ created_at: at, expires_at: expires }) => (
      <>
        <span title={moment(at)}>{ago(at)}</span>
        {expires === null ? null : <div class="muted">{words.exports.expires(ago(expires))}</div>}
      </>
    ),
  },
];

const ACTIONS: Column<ListedExport> = {
  key: "actions",
  label: words.exports.columns.actions,
  value: (row) => <Actions row={row} />,
};

function What({ row }: { readonly row: ListedExport }) {
  const { insight_search_ids: ids, start_date: from, end_date: to, filter } = row.query;
  const last = new Date(Date.parse(to) - 86_400_000).toISOString().slice(0, 10);
  const filters = Object.entries(filter ?? {});
  return (
    <div class={styles["what"]}>
      <span>{words.exports.insightsAndDays(ids, from, last)}</span>
      {filters.length === 0 ? null : (
        <Chips>
          {filters.map(([name, value]) => (
            <Chip key={name}>{words.exports.filterOf(name, [value].flat())}</Chip>
          ))}
        </Chips>
      )}
      {row.revised_at === null ? null : (
        <Chip tone="warn" title={words.exports.revisedHelp}>
          {words.exports.revised(ago(row.revised_at))}
        </Chip>
      )}
    </div>
  );
}

function State({ row: { status, progress, error } }: { readonly row: ListedExport }) {
  if (status === "failed") return <span>{error ?? words.labels.state(status)}</span>;
  if (status === "done") return <Chip tone="ok">{words.labels.state(status)}</Chip>;
  const { done, total } = progress;
  if (status === "pending" && total === null) return <span>{words.exports.startsSoon}</span>;
  if (!isUnderWay(status) || total === null) return <span>{words.labels.state(status)}</span>;
  return (
    <div>
      <progress
        class={styles["progress"]}
        max={Math.max(1, total)}
        value={done}
        aria-label={words.exports.columns.state}
      />
      <div>{words.exports.progress(done, total)}</div>
    </div>
  );
}

function Files({ row: { id, files } }: { readonly row: ListedExport }) {
  const bySize = new Map(files.map(({ format, size }) => [format, size]));
  return (
    <div class={styles["files"]}>
      {EXPORT_FORMATS.filter((format) => bySize.has(format)).map((format) => (
        <Button
          key={format}
          isSmall
          icon="exports"
          label={words.exports.download(format, id)}
          onClick={() => download(id, format)}
        >
          {format} {bytes(bySize.get(format) ?? 0)}
        </Button>
      ))}
    </div>
  );
}

/** The browser saves the file as it arrives: it never is in the memory of this page. */
async function download(id: number, format: ExportFormat): Promise<void> {
  await reporting(async () => {
    const link = document.createElement("a");
    link.href = await linkOf(id, format);
    link.download = "";
    link.click();
  });
}

function Actions({ row: { id, status, files } }: { readonly row: ListedExport }) {
  const remove = (): void =>
    deleteLater({
      record: `export/${id}`,
      text: words.exports.deleted(id),
      send: (keepalive) => deleteExport(id, keepalive),
      onDone: () => outdate(["exports"]),
    });
  const links = files.map(({ format }) => ({
    label: `${words.exports.copyLink}: ${format}`,
    icon: "copy" as const,
    onSelect: () => void copyLink(id, format),
  }));
  return (
    <Menu
      label={words.frame.more}
      items={[
        ...(status === "done" ? links : []),
        { label: words.exports.deleteIt, icon: "trash", isDangerous: true, onSelect: remove },
      ]}
    />
  );
}

async function copyLink(id: number, format: ExportFormat): Promise<void> {
  await reporting(async () => {
    await navigator.clipboard.writeText(await linkOf(id, format));
    toast(words.exports.linkCopied);
  });
}

/** A failure of an action is said beside the page, which stays as it is. */
async function reporting(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const { title, text } = describeError(error);
    toast(`${title}: ${text}`, { isProblem: true });
  }
}

import type { components } from "@hourglass/client";
import { answered, api } from "../../data/api.js";
import { every, useQuery } from "../../data/queries.js";
import { commandOf, useServer, type Server } from "../../data/server.js";
import { LinkButton } from "../../parts/button.js";
import { Chip, type ChipTone } from "../../parts/chip.js";
import { CopyButton } from "../../parts/copy-button.js";
import { DataTable, type Column } from "../../parts/data-table.js";
import { Load } from "../../parts/states.js";
import { bytes, number } from "../../words/numbers.js";
import { words } from "../../words/settings.js";
import styles from "./settings.module.css";

type Readiness = components["schemas"]["Readiness"];
type Part = Server["analyses"][number];

const READINESS_MS = 30_000;

/** What this server is, what it can do, and what is missing with the command that cures it. */
export function ServerSettings() {
  const w = words.settings.server;
  return (
    <Load query={useServer()} height="40rem">
      {(server) => (
        <div class={styles["stack"]}>
          <section class={styles["card"]} aria-labelledby="readiness">
            <h2 id="readiness">{w.readiness}</h2>
            <Ready />
            <dl class={styles["facts"]}>
              <div>
                <dt>{w.version}</dt>
                <dd>{server.revision === null ? server.version : `${server.version} (${server.revision})`}</dd>
              </div>
            </dl>
            <div>
              <LinkButton href="/docs" isExternal icon="external">
                {w.documentation}
              </LinkButton>{" "}
              <LinkButton href="/docs/api" isExternal icon="external">
                {w.reference}
              </LinkButton>
            </div>
          </section>
          <section class={styles["card"]} aria-labelledby="parts">
            <h2 id="parts">{w.analyses}</h2>
            <DataTable caption={w.analyses} columns={PART_COLUMNS} rows={server.analyses} rowKey={({ type }) => type} />
          </section>
          <div class={styles["columns"]}>
            <section class={styles["card"]} aria-labelledby="limits">
              <h2 id="limits">{w.limits}</h2>
              <Limits limits={server.limits} />
            </section>
            <section class={styles["card"]} aria-labelledby="retention">
              <h2 id="retention">{w.retention}</h2>
              <DataTable
                caption={w.retention}
                columns={RETENTION_COLUMNS}
                rows={retentionOf(server)}
                rowKey={({ what }) => what}
              />
            </section>
          </div>
        </div>
      )}
    </Load>
  );
}

function Ready() {
  const readiness = useQuery<Readiness>({
    queryKey: ["readiness"],
    queryFn: ({ signal }) => answered(api.GET("/readyz", { signal })),
    refetchInterval: every(READINESS_MS),
  });
  return (
    <Load query={readiness} height="2rem">
      {({ status }) => <p>{words.settings.server.states[status] ?? status}</p>}
    </Load>
  );
}

const TONES: Readonly<Record<string, ChipTone>> = { ready: "ok", missing: "warn", loading: "plain" };
const { columns } = words.settings.server;

const PART_COLUMNS: readonly Column<Part>[] = [
  {
    key: "part",
    label: columns.part,
    value: ({ type }) => words.labels.analysis(type),
  },
  {
    key: "state",
    label: columns.state,
    value: ({ state }) => (
      <Chip tone={TONES[state] ?? "plain"}>{words.settings.server.partStates[state] ?? state}</Chip>
    ),
  },
  {
    key: "model",
    label: columns.model,
    value: ({ model, model_version: version, engine }) => (
      <div class={styles["model"]}>{model === null ? engine : `${model} ${version ?? ""}`}</div>
    ),
  },
  { key: "cure", label: columns.cure, value: (part) => <Cure part={part} /> },
];

function Cure({ part: { reason, cure } }: { readonly part: Part }) {
  const command = commandOf({ cure });
  // Some reasons say themselves what to do.
  const isSaid = cure !== null && reason?.includes(cure) === true;
  return (
    <div class={styles["stack"]}>
      {reason === null ? null : <p>{reason}</p>}
      {command === undefined ? (
        cure === null || isSaid ? null : (
          <p>{cure}</p>
        )
      ) : (
        <div class={styles["row"]}>
          <code>{command}</code>
          <CopyButton text={command} />
        </div>
      )}
    </div>
  );
}

type Limit = keyof Server["limits"];

function Limits({ limits }: { readonly limits: Server["limits"] }) {
  const w = words.settings.server;
  const text = (name: string, value: number | null): string => {
    if (value === null) return w.unlimited;
    if (name.endsWith("_bytes")) return bytes(value);
    if (name === "media_seconds") return w.seconds(value);
    return number(value);
  };
  return (
    <dl class={styles["facts"]}>
      {(Object.keys(limits) as Limit[]).map((name) => (
        <div key={name}>
          <dt>{w.limitNames[name] ?? name}</dt>
          <dd>{text(name, limits[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Retention {
  readonly what: string;
  readonly days: number | null;
}

const RETENTION_COLUMNS: readonly Column<Retention>[] = [
  { key: "what", label: words.settings.server.retentionColumns.what, value: ({ what }) => what },
  {
    key: "days",
    label: words.settings.server.retentionColumns.days,
    value: ({ days }) => (days === null ? words.settings.server.kept : words.settings.server.days(days)),
  },
];

function retentionOf({ retention }: Server): Retention[] {
  const w = words.settings.server;
  return [
    { what: w.analysesKept, days: retention.operations_days },
    { what: w.exportsKept, days: retention.exports_days },
    { what: w.filesKept, days: retention.unused_files_days },
    ...retention.postings.map(({ platform, days }) => ({
      what: w.postingsKept(words.labels.platform(platform)),
      days,
    })),
  ];
}

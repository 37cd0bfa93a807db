import { useState } from "preact/hooks";
import { fieldError } from "../../data/failure.js";
import { outdate } from "../../data/queries.js";
import { useMe } from "../../data/server.js";
import { createApiKey, revokeApiKey, useApiKeys, type ApiKey, type KeyScope } from "../../data/settings.js";
import { Button } from "../../parts/button.js";
import { DataTable, type Column } from "../../parts/data-table.js";
import { deleteLater, leaving } from "../../parts/deletion.js";
import { Dialog } from "../../parts/dialog.js";
import { Check, TextField } from "../../parts/field.js";
import { useKeys } from "../../parts/keys.js";
import { EmptyState, Load, Problem } from "../../parts/states.js";
import { Form } from "../../parts/form.js";
import { ago, moment } from "../../words/times.js";
import { words } from "../../words/settings.js";
import { Secret } from "./secret.js";
import styles from "./settings.module.css";

const SCOPES: readonly KeyScope[] = ["operations", "insights", "exports"];

/** The API keys of the company: made, shown once, revoked. */
export function KeySettings() {
  const { data: me } = useMe();
  if (me !== undefined && me.role !== "admin") return <p>{words.settings.keys.adminsOnly}</p>;
  return <Keys />;
}

function Keys() {
  const w = words.settings.keys;
  const keys = useApiKeys();
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  useKeys([{ keys: "n", label: w.create, run: () => setMaking(true) }]);
  return (
    <div class={styles["stack"]}>
      <div class={styles["between"]}>
        <p class="muted">{w.intro}</p>
        <Button kind="primary" icon="plus" shortcut="n" onClick={() => setMaking(true)}>
          {w.create}
        </Button>
      </div>
      <Load query={keys} height="12rem">
        {(list) => {
          const shown = list.filter(({ id }) => !leaving.value.has(`key/${id}`));
          return shown.length === 0 ? (
            <EmptyState title={w.none} />
          ) : (
            <DataTable caption={w.list} columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />
          );
        }}
      </Load>
      {isMaking ? (
        <NewKey
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setSecret(key);
          }}
        />
      ) : null}
      {secret === undefined ? null : (
        <Secret title={w.shown} help={w.shownHelp} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </div>
  );
}

function NewKey({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: (key: string) => void }) {
  const w = words.settings.keys;
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly KeyScope[]>(SCOPES);
  const [isReading, setReading] = useState(false);
  const [last, setLast] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const submit = async (): Promise<void> => {
    setFailure(undefined);
    try {
      // The whole of the last day counts.
      const end = last === "" ? null : `${last}T23:59:59Z`;
      onMade(await createApiKey({ name, scopes: [...scopes], read_only: isReading, expires_at: end }));
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog title={w.create} onClose={onClose}>
      <Form class={styles["form"]} onSubmit={submit}>
        <TextField label={w.name} value={name} onInput={setName} required error={fieldError(failure, "name")} />
        <fieldset class={styles["stack"]}>
          <legend>{w.scopes}</legend>
          {SCOPES.map((scope) => (
            <Check
              key={scope}
              label={w.scopeNames[scope]}
              checked={scopes.includes(scope)}
              onChange={(isChosen) =>
                setScopes(SCOPES.filter((other) => (other === scope ? isChosen : scopes.includes(other))))
              }
            />
          ))}
        </fieldset>
        <Check label={w.readOnly} checked={isReading} onChange={setReading} />
        <TextField
          label={w.expires}
          type="date"
          isOptional
          help={w.expiresHelp}
          value={last}
          onInput={setLast}
          error={fieldError(failure, "expires_at")}
        />
        {failure === undefined ? null : <Problem error={failure} />}
        <div class={styles["row"]}>
          <Button
            type="submit"
            kind="primary"
            disabled={scopes.length === 0}
            {...(scopes.length === 0 ? { reason: w.noScope } : {})}
          >
            {w.create}
          </Button>
          <Button onClick={onClose}>{words.frame.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

const { columns } = words.settings.keys;

const COLUMNS: readonly Column<ApiKey>[] = [
  { key: "name", label: columns.name, value: ({ name }) => name },
  { key: "prefix", label: columns.prefix, value: ({ prefix }) => <code>{prefix}…</code> },
  {
    key: "may",
    label: columns.may,
    value: ({ scopes, read_only: isReading }) =>
      [
        ...scopes.map((scope) => words.settings.keys.scopeNames[scope] ?? scope),
        ...(isReading ? [words.settings.keys.reading] : []),
      ].join(", "),
  },
  {
    key: "maker",
    label: columns.maker,
    value: ({ created_by: by }) => by?.name ?? words.settings.users.operator,
  },
  {
    key: "used",
    label: columns.used,
    value: ({ last_used_at: at }) =>
      at === null ? words.settings.keys.never : <span title={moment(at)}>{ago(at)}</span>,
  },
  {
    key: "ends",
    label: columns.ends,
    value: ({ expires_at: at }) => (at === null ? words.settings.keys.never : moment(at)),
  },
  { key: "actions", label: columns.actions, value: (row) => <Revoke row={row} /> },
];

function Revoke({ row: { id, name } }: { readonly row: ApiKey }) {
  const w = words.settings.keys;
  return (
    <Button
      isSmall
      kind="danger"
      onClick={() =>
        deleteLater({
          record: `key/${id}`,
          text: w.revoked(name),
          send: (keepalive) => revokeApiKey(id, keepalive),
          onDone: () => outdate(["keys"]),
        })
      }
    >
      {w.revoke}
    </Button>
  );
}

import { useState } from "preact/hooks";
import { describeError, fieldError } from "../../data/failure.js";
import { outdate } from "../../data/queries.js";
import { useMe } from "../../data/server.js";
import {
  changeUser,
  createUser,
  deleteUser,
  useAudit,
  useUsers,
  type AuditEvent,
  type CompanyUser,
  type Role,
  type UserChange,
} from "../../data/settings.js";
import { Button } from "../../parts/button.js";
import { Chip } from "../../parts/chip.js";
import { DataTable, type Column } from "../../parts/data-table.js";
import { deleteLater, leaving } from "../../parts/deletion.js";
import { Dialog } from "../../parts/dialog.js";
import { Select, TextField } from "../../parts/field.js";
import { useKeys } from "../../parts/keys.js";
import { Load, Problem } from "../../parts/states.js";
import { toast } from "../../parts/toasts.js";
import { Form } from "../../parts/form.js";
import { quoted } from "../../words/quoted.js";
import { fullDay, moment } from "../../words/times.js";
import { words } from "../../words/settings.js";
import { Secret } from "./secret.js";
import styles from "./settings.module.css";

const ROLES: readonly Role[] = ["admin", "member", "viewer"];

/** The users of the company and what was done in it; for its admins. */
export function UserSettings() {
  const { data: me } = useMe();
  if (me === undefined) return null;
  if (me.role !== "admin") return <p>{words.settings.users.adminsOnly}</p>;
  return <Users ownId={me.id ?? 0} />;
}

interface Made {
  readonly email: string;
  readonly password: string;
}

function Users({ ownId }: { readonly ownId: number }) {
  const w = words.settings.users;
  const users = useUsers();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<Made>();
  const [isAudit, setAudit] = useState(false);
  useKeys([{ keys: "n", label: w.create, run: () => setAdding(true) }]);
  return (
    <div class={styles["stack"]}>
      <div>
        <Button kind="primary" icon="plus" shortcut="n" onClick={() => setAdding(true)}>
          {w.create}
        </Button>
      </div>
      <Load query={users} height="12rem">
        {(list) => (
          <DataTable
            caption={w.list}
            columns={columnsFor(ownId)}
            rows={list.filter(({ id }) => !leaving.value.has(`user/${id}`))}
            rowKey={({ id }) => id}
          />
        )}
      </Load>
      <h2>{w.audit}</h2>
      <p class="muted">{w.auditHelp}</p>
      {isAudit ? (
        <Audit />
      ) : (
        <div>
          <Button onClick={() => setAudit(true)}>{w.showAudit}</Button>
        </div>
      )}
      {isAdding ? (
        <NewUserDialog
          onClose={() => setAdding(false)}
          onMade={(user) => {
            setAdding(false);
            setMade(user);
          }}
        />
      ) : null}
      {made === undefined ? null : (
        <Secret
          title={w.shown(made.email)}
          help={w.shownHelp}
          secret={made.password}
          onClose={() => setMade(undefined)}
        />
      )}
    </div>
  );
}

function NewUserDialog({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: (user: Made) => void }) {
  const w = words.settings.users;
  const [email, setEmail] = useState("");
  const [first, setFirst] = useState("");
  const [last, setLast] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [failure, setFailure] = useState<unknown>();
  const submit = async (): Promise<void> => {
    setFailure(undefined);
    try {
      const password = await createUser({ email, first_name: first, last_name: last, role });
      onMade({ email, password });
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog title={w.create} onClose={onClose}>
      <Form class={styles["form"]} onSubmit={submit}>
        <TextField
          label={words.signIn.email}
          type="email"
          value={email}
          onInput={setEmail}
          required
          error={fieldError(failure, "email")}
        />
        <TextField
          label={w.first}
          isOptional
          value={first}
          onInput={setFirst}
          error={fieldError(failure, "first_name")}
        />
        <TextField label={w.last} isOptional value={last} onInput={setLast} error={fieldError(failure, "last_name")} />
        <Select
          label={w.role}
          value={role}
          options={ROLES.map((value) => ({ value, label: words.settings.account.roles[value] ?? value }))}
          onChange={setRole}
        />
        {failure === undefined ? null : <Problem error={failure} />}
        <div class={styles["row"]}>
          <Button type="submit" kind="primary">
            {w.create}
          </Button>
          <Button onClick={onClose}>{words.frame.cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

function columnsFor(ownId: number): readonly Column<CompanyUser>[] {
  const w = words.settings.users;
  return [
    { key: "email", label: w.columns.email, value: ({ email }) => email },
    {
      key: "name",
      label: w.columns.name,
      value: ({ first_name: first, last_name: last }) => `${first} ${last}`.trim(),
    },
    {
      key: "role",
      label: w.columns.role,
      value: ({ id, email, role }) => (
        <select
          class={styles["select"]}
          aria-label={w.roleOf(email)}
          value={role}
          onChange={(event) => {
            const field = event.currentTarget;
            void change(id, { role: field.value as Role }).then((ended) => {
              if (ended === undefined) field.value = role;
            });
          }}
        >
          {ROLES.map((value) => (
            <option key={value} value={value}>
              {w.roles[value]}
            </option>
          ))}
        </select>
      ),
    },
    {
      key: "state",
      label: w.columns.state,
      value: ({ active }) => <Chip tone={active ? "ok" : "warn"}>{active ? w.active : w.inactive}</Chip>,
    },
    { key: "since", label: w.columns.since, value: ({ created_at: at }) => fullDay(new Date(at)) },
    {
      key: "actions",
      label: w.columns.actions,
      value: (user) => (user.id === ownId ? <span class="muted">{w.you}</span> : <Actions user={user} />),
    },
  ];
}

function Actions({ user: { id, email, active } }: { readonly user: CompanyUser }) {
  const w = words.settings.users;
  return (
    <div class={styles["row"]}>
      <Button
        isSmall
        onClick={async () => {
          const ended = await change(id, { active: !active });
          if (ended !== undefined && ended > 0) toast(w.keysEnded(ended));
        }}
      >
        {active ? w.lock : w.unlock}
      </Button>
      <Button
        isSmall
        kind="danger"
        onClick={() =>
          deleteLater({
            record: `user/${id}`,
            text: w.removed(email),
            send: (keepalive) => deleteUser(id, keepalive),
            onDone: () => outdate(["users"]),
          })
        }
      >
        {w.remove}
      </Button>
    </div>
  );
}

/** Changes a user, or says why not. Returns how many API keys ended with it; undefined if nothing was changed. */
async function change(id: number, wanted: UserChange): Promise<number | undefined> {
  try {
    return await changeUser(id, wanted);
  } catch (error) {
    toast(describeError(error).text, { isProblem: true });
    return undefined;
  }
}

function Audit() {
  const w = words.settings.users;
  return (
    <Load query={useAudit()} height="12rem">
      {(events) => <DataTable caption={w.audit} columns={AUDIT_COLUMNS} rows={events} rowKey={({ id }) => id} />}
    </Load>
  );
}

const { auditColumns } = words.settings.users;

interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

function quotedName(name: string | null): string {
  return name === null ? "" : quoted(name);
}

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const AUDIT_COLUMNS: readonly Column<AuditEvent>[] = [
  { key: "at", label: auditColumns.at, value: ({ at }) => moment(at) },
  {
    key: "who",
    label: auditColumns.who,
    value: ({ email, user_id: id, key_id: key }) => {
      const who = email ?? (id === null ? words.settings.users.operator : String(id));
      return key === null ? who : `${who}, ${words.settings.users.byKey(key)}`;
    },
  },
  { key: "action", label: auditColumns.action, value: ({ action }) => action },
  {
    key: "record",
    label: auditColumns.record,
    value: ({ record_id: id, record_name: name }) => [id === null ? "" : `#${id}`, quotedName(name)].join(" ").trim(),
  },
  {
    key: "changes",
    label: auditColumns.changes,
    value: ({ changes }) => (
      <ul class={styles["changes"]}>
        {Object.entries(changes as Record<string, Change>).map(([field, { from, to }]) => (
          <li key={field}>{words.settings.users.changed(field, shownValue(from), shownValue(to))}</li>
        ))}
      </ul>
    ),
  },
  { key: "from", label: auditColumns.from, value: ({ client_address: address }) => address ?? "" },
  { key: "outcome", label: auditColumns.outcome, value: ({ outcome }) => outcome },
];

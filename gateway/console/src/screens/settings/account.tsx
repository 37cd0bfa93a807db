import { useState } from "preact/hooks";
import { signOut } from "../../data/account.js";
import { describeError, fieldError } from "../../data/failure.js";
import { useMe, type Me } from "../../data/server.js";
import { changePassword } from "../../data/settings.js";
import { session } from "../../data/session.js";
import { setTheme, theme, type Theme } from "../../data/theme.js";
import { confirmDeletions } from "../../parts/deletion.js";
import { Button } from "../../parts/button.js";
import { Check, Select, TextField } from "../../parts/field.js";
import { setSingleKeys, singleKeys } from "../../parts/keys.js";
import { useUnsaved } from "../../parts/navigation.js";
import { Load } from "../../parts/states.js";
import { toast } from "../../parts/toasts.js";
import { Form } from "../../parts/form.js";
import { moment } from "../../words/times.js";
import { words } from "../../words/settings.js";
import styles from "./settings.module.css";

const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** Who is signed in, how the console looks, and the password. */
export function AccountSettings() {
  const me = useMe();
  const w = words.settings.account;
  return (
    <div class={styles["columns"]}>
      <section class={styles["card"]} aria-labelledby="who">
        <h2 id="who">{w.who}</h2>
        <Load query={me} height="12rem">
          {(known) => <Who me={known} />}
        </Load>
        <div class={styles["stack"]}>
          <span class="muted">{w.signOutHelp}</span>
          <div>
            <Button
              onClick={async () => {
                // What waits to be deleted needs the session.
                await confirmDeletions();
                await signOut();
              }}
            >
              {words.frame.signOut}
            </Button>
          </div>
        </div>
      </section>
      <section class={styles["card"]} aria-labelledby="look">
        <h2 id="look">{w.look}</h2>
        <Select
          label={w.theme}
          value={theme.value}
          options={THEMES.map((value) => ({ value, label: w.themes[value] }))}
          onChange={setTheme}
        />
        <Select
          label={w.language}
          value="en"
          options={[{ value: "en", label: w.english }]}
          onChange={() => undefined}
        />
        <Check
          label={words.keys.singleKeys}
          help={words.keys.singleKeysHelp}
          checked={singleKeys.value}
          onChange={setSingleKeys}
        />
      </section>
      <section class={styles["card"]} aria-labelledby="password">
        <h2 id="password">{w.password}</h2>
        <PasswordForm />
      </section>
    </div>
  );
}

function Who({ me }: { readonly me: Me }) {
  const w = words.settings.account;
  const name = [me.first_name, me.last_name].filter(Boolean).join(" ");
  const facts: readonly (readonly [string, string | null])[] = [
    [w.email, me.email],
    [w.name, name === "" ? null : name],
    [w.company, me.company.name],
    [w.role, w.roles[me.role] ?? me.role],
    [
      w.products,
      me.company.products
        .filter(({ active }) => active)
        .map(({ uid }) => uid)
        .join(", "),
    ],
    [w.sessionEnds, me.expires_at === null ? null : moment(me.expires_at)],
  ];
  return (
    <dl class={styles["facts"]}>
      {facts.map(([label, value]) =>
        value === null ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function PasswordForm() {
  const w = words.settings.account;
  const email = session.account.value?.email ?? "";
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const [isTried, setTried] = useState(false);
  useUnsaved(current !== "" || next !== "");
  const differ = isTried && next !== again ? w.differ : undefined;
  const submit = async (): Promise<void> => {
    setTried(true);
    setFailure(undefined);
    if (next !== again) return;
    try {
      await changePassword(current, next);
      for (const clear of [setCurrent, setNext, setAgain]) clear("");
      setTried(false);
      toast(w.changed);
    } catch (error) {
      setFailure(error);
    }
  };
  const known = describeError(failure);
  const isOther = failure !== undefined && known.fields.length === 0;
  return (
    <Form class={styles["form"]} onSubmit={submit}>
      {/* For managers of passwords, which must know whose it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label={w.current}
        type="password"
        autoComplete="current-password"
        value={current}
        onInput={setCurrent}
        required
        error={fieldError(failure, "current_password") ?? (isOther ? known.text : undefined)}
      />
      <TextField
        label={w.next}
        type="password"
        autoComplete="new-password"
        value={next}
        onInput={setNext}
        required
        error={fieldError(failure, "password")}
      />
      <TextField
        label={w.repeat}
        type="password"
        autoComplete="new-password"
        value={again}
        onInput={setAgain}
        required
        error={differ}
      />
      <div>
        <Button type="submit" kind="primary">
          {w.change}
        </Button>
      </div>
    </Form>
  );
}

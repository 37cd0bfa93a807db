import { HourglassError } from "@hourglass/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { signIn } from "../../data/account.js";
import { describeError } from "../../data/failure.js";
import { Button } from "../../parts/button.js";
import { Check, TextField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { words } from "../../words/words.js";
import styles from "./sign-in.module.css";

/** E-mail and password. `email`: of whom the session was. */
export function SignInForm({ email: known }: { readonly email?: string }) {
  const [email, setEmail] = useState(known ?? "");
  const [password, setPassword] = useState("");
  /** Undefined until the server asks for it. */
  const [company, setCompany] = useState<string>();
  const [isKept, setKept] = useState(false);
  const [failure, setFailure] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (): Promise<void> => {
    setFailure(undefined);
    try {
      await signIn({ email, password, ...(company === undefined ? {} : { company }) }, isKept);
    } catch (error) {
      if (error instanceof HourglassError && error.code === "company_needed") {
        setCompany(company ?? "");
        setFailure(error.message);
        return;
      }
      setFailure(messageOf(error));
      setPassword("");
      field.current?.focus();
    }
  };
  const isFirst = known === undefined;
  return (
    <Form class={styles["form"]} onSubmit={submit}>
      <TextField
        label={words.signIn.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onInput={setEmail}
        required
        {...(isFirst ? { inputRef: field } : {})}
      />
      <TextField
        label={words.signIn.password}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onInput={setPassword}
        required
        {...(isFirst ? {} : { inputRef: field })}
      />
      {company === undefined ? null : (
        <TextField
          label={words.signIn.company}
          name="organization"
          autoComplete="organization"
          value={company}
          onInput={setCompany}
          required
        />
      )}
      <Check label={words.signIn.stay} help={words.signIn.stayHelp} checked={isKept} onChange={setKept} />
      <div role="alert" class={styles["error"]}>
        {failure}
      </div>
      <Button type="submit" kind="primary">
        {words.signIn.submit}
      </Button>
    </Form>
  );
}

function messageOf(error: unknown): string {
  if (error instanceof HourglassError) {
    if (error.status === 401) return words.signIn.wrong;
    if (error.status === 429) return words.signIn.tooMany(error.retryAfterSeconds ?? 60);
  }
  const { title, text } = describeError(error);
  return `${title}: ${text}`;
}

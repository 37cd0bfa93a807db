import { useEffect } from "preact/hooks";
import { Icon } from "../../parts/icon.js";
import { words } from "../../words/words.js";
import { SignInForm } from "./sign-in-form.js";
import styles from "./sign-in.module.css";

/** Put in by the build: the console and its server are of one version. */
declare const CONSOLE_VERSION: string;

/** The first screen of somebody who has not signed in. */
export function SignIn() {
  useEffect(() => {
    document.title = words.frame.pageTitle(words.signIn.title);
  }, []);
  return (
    <main class={styles["page"]}>
      <div class={styles["card"]}>
        <div class={styles["brand"]}>
          <Icon name="hourglass" size={22} />
          {words.frame.product}
        </div>
        <h1>{words.signIn.title}</h1>
        <SignInForm />
        <div class={styles["howTo"]}>
          <span>{words.signIn.howTo}</span>
          <code tabIndex={0}>{words.signIn.howToCommand}</code>
          <span>{words.signIn.version(CONSOLE_VERSION)}</span>
        </div>
      </div>
    </main>
  );
}

import { session } from "../../data/session.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { words } from "../../words/words.js";
import { SignInForm } from "./sign-in-form.js";

/** Over the page: the session has ended, and what was asked is asked again after a sign-in. */
export function SessionEnded() {
  const { email } = session.account.value ?? {};
  return (
    <Dialog
      title={words.signIn.expired}
      actions={
        <Button kind="plain" onClick={() => session.end()}>
          {words.signIn.otherUser}
        </Button>
      }
    >
      <p>{words.signIn.expiredHelp}</p>
      <br />
      <SignInForm {...(email === undefined ? {} : { email })} />
    </Dialog>
  );
}

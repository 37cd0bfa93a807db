import { useEffect, useRef, useState } from "preact/hooks";
import { countOfAuthor, erasePostings, type Erased } from "../../data/postings.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/field.js";
import { Problem } from "../../parts/states.js";
import { toast } from "../../parts/toasts.js";
import { Form } from "../../parts/form.js";
import { erasingWords } from "../../words/en/erasing.js";
import { words } from "../../words/postings.js";
import styles from "./erase-dialog.module.css";

export interface EraseDialogProps {
  readonly insightId: number;
  readonly erased: Erased;
  /** What the author is called. */
  readonly author: string | undefined;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

/** Erases a posting, or all of an author, after the user has typed that it is meant: nothing brings them back. */
export function EraseDialog({ insightId, erased, author, onClose, onErased }: EraseDialogProps) {
  const w = erasingWords;
  const isAuthor = "author_id" in erased;
  const [typed, setTyped] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const field = useRef<HTMLInputElement>(null);
  // The dialog is open by then: otherwise it gives the focus to its first button.
  useEffect(() => field.current?.focus(), []);
  const isMeant = typed.trim().toLowerCase() === w.word;
  const erase = async (): Promise<void> => {
    if (!isMeant) return;
    setFailure(undefined);
    try {
      const deleted = await erasePostings(erased);
      onClose();
      toast(w.done(deleted));
      onErased();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog
      title={isAuthor ? w.author : w.posting}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.frame.cancel}</Button>
          <Button kind="danger" onClick={erase} {...(isMeant ? {} : { disabled: true, reason: w.typeFirst })}>
            {isAuthor ? w.eraseAuthor : w.erasePosting}
          </Button>
        </>
      }
    >
      <Form class={styles["erase"]} onSubmit={erase}>
        {isAuthor ? (
          <>
            <p>
              {w.authorHelp(words.labels.platform(erased.platform))} <bdi>{author ?? erased.author_id}</bdi>
            </p>
            <Counted insightId={insightId} platform={erased.platform} author={erased.author_id} />
          </>
        ) : (
          <p>{w.postingHelp}</p>
        )}
        <ul>
          {w.consequences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <TextField label={w.confirm(w.word)} value={typed} onInput={setTyped} inputRef={field} />
        {failure === undefined ? null : <Problem error={failure} />}
      </Form>
    </Dialog>
  );
}

interface CountedProps {
  readonly insightId: number;
  readonly platform: Erased["platform"];
  readonly author: string;
}

/** How many postings this insight has of the author. */
function Counted({ insightId, platform, author }: CountedProps) {
  const w = erasingWords;
  const [text, setText] = useState<string>(w.counting);
  useEffect(() => {
    let isShown = true;
    const say = (sentence: string): void => {
      if (isShown) setText(sentence);
    };
    countOfAuthor(insightId, platform, author).then(
      ({ total = 0, total_is_exact: isExact = true }) => say(w.inThisInsight(words.postings.total(total, isExact))),
      () => say(w.notCounted),
    );
    return () => {
      isShown = false;
    };
  }, [insightId, platform, author]);
  return <p role="status">{text}</p>;
}

import { useEffect, useState } from "preact/hooks";
import { authorOf, type Posting } from "../../data/posting-view.js";
import { countOfAuthor, erasePostings, type Erased } from "../../data/postings.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/field.js";
import { Problem } from "../../parts/states.js";
import { toast } from "../../parts/toasts.js";
import { words } from "../../words/words.js";
import styles from "./postings.module.css";

export interface EraseDialogProps {
  readonly insightId: number;
  readonly posting: Posting;
  readonly what: "posting" | "author";
  readonly onClose: () => void;
  readonly onErased: (erased: Erased) => void;
}

/** Erases a posting, or all of its author, after the user has typed that it is meant: nothing brings them back. */
export function EraseDialog({ insightId, posting, what, onClose, onErased }: EraseDialogProps) {
  const w = words.postings.erasing;
  const { platform, social_id: socialId, author_id: authorId } = posting;
  const [typed, setTyped] = useState("");
  const [failure, setFailure] = useState<unknown>();
  const isMeant = typed.trim().toLowerCase() === w.word;
  const erase = async (): Promise<void> => {
    const erased: Erased | undefined =
      what === "posting"
        ? socialId === null
          ? undefined
          : { platform, social_id: socialId }
        : authorId === null
          ? undefined
          : { platform, author_id: authorId };
    if (erased === undefined || !isMeant) return;
    setFailure(undefined);
    try {
      const deleted = await erasePostings(erased);
      onClose();
      toast(w.done(deleted));
      onErased(erased);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Dialog
      title={what === "posting" ? w.posting : w.author}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.frame.cancel}</Button>
          <Button kind="danger" onClick={erase} {...(isMeant ? {} : { disabled: true, reason: w.typeFirst })}>
            {what === "posting" ? w.erasePosting : w.eraseAuthor}
          </Button>
        </>
      }
    >
      <form
        class={styles["erase"]}
        onSubmit={(event) => {
          event.preventDefault();
          void erase();
        }}
      >
        {what === "posting" ? (
          <p>{w.postingHelp}</p>
        ) : (
          <>
            <p>
              {w.authorHelp} <bdi>{authorOf(posting)}</bdi>
            </p>
            {authorId === null ? null : <Counted insightId={insightId} platform={platform} author={authorId} />}
          </>
        )}
        <ul>
          {w.consequences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <TextField label={w.confirm(w.word)} value={typed} onInput={setTyped} />
        {failure === undefined ? null : <Problem error={failure} />}
      </form>
    </Dialog>
  );
}

interface CountedProps {
  readonly insightId: number;
  readonly platform: Posting["platform"];
  readonly author: string;
}

/** How many postings this insight has of the author. */
function Counted({ insightId, platform, author }: CountedProps) {
  const w = words.postings.erasing;
  const [text, setText] = useState<string>(w.counting);
  useEffect(() => {
    let isShown = true;
    countOfAuthor(insightId, platform, author).then(
      ({ total = 0, total_is_exact: isExact = true }) => {
        if (isShown) setText(w.inThisInsight(words.postings.total(total, isExact)));
      },
      () => {
        if (isShown) setText(w.notCounted);
      },
    );
    return () => {
      isShown = false;
    };
  }, [insightId, platform, author]);
  return <p role="status">{text}</p>;
}

import type { components } from "@hourglass/client";
import { useState } from "preact/hooks";
import { answered, api } from "../../data/api.js";
import type { Insight } from "../../data/insights.js";
import { authorOf, inLine, type Posting } from "../../data/posting-view.js";
import { addressOf } from "../../data/filters.js";
import type { Erased } from "../../data/postings.js";
import { Button, LinkButton } from "../../parts/button.js";
import { Select, TextField } from "../../parts/field.js";
import { Problem } from "../../parts/states.js";
import { Form } from "../../parts/form.js";
import { words } from "../../words/collection.js";
import { EraseDialog } from "../insight/erase-dialog.js";
import styles from "./collection.module.css";

type Platform = components["schemas"]["Platform"];

/** Postings that are looked through for different authors of one name. */
const LOOKED_AT_MAX = 200;

interface Author {
  readonly platform: Platform;
  readonly id: string;
  readonly name: string | undefined;
  readonly username: string | null;
}

/** Finds an author who asks to be erased, and erases all that they posted. */
export function EraseAuthor({ insight }: { readonly insight: Insight }) {
  const w = words.collection.erase;
  const [text, setText] = useState("");
  const [found, setFound] = useState<{ readonly text: string; readonly authors: readonly Author[] }>();
  const [failure, setFailure] = useState<unknown>();
  const [erasing, setErasing] = useState<{ readonly erased: Erased; readonly author: string | undefined }>();
  const find = async (): Promise<void> => {
    const wanted = text.trim();
    if (wanted === "") return;
    setFailure(undefined);
    try {
      const params = { path: { id: insight.id }, query: { author: [wanted], limit: LOOKED_AT_MAX } };
      const { postings } = await answered(api.GET("/api/v2/products/insight/{id}/postings", { params }));
      setFound({ text: wanted, authors: authorsIn(postings) });
    } catch (error) {
      setFailure(error);
    }
  };
  const erase = (erased: Erased, author: string | undefined): void => setErasing({ erased, author });
  return (
    <section class={styles["stack"]}>
      <h2>{w.title}</h2>
      <p>{w.help}</p>
      <Form class={styles["find"]} isSearch onSubmit={find}>
        <TextField label={w.author} value={text} onInput={setText} />
        <Button type="submit" {...(text.trim() === "" ? { disabled: true, reason: w.typeFirst } : {})}>
          {w.find}
        </Button>
      </Form>
      {failure === undefined ? null : <Problem error={failure} />}
      <div role="status">
        {found === undefined ? null : (
          <p>
            {w.found(found.authors.length)} <bdi>{inLine(found.text, 100)}</bdi>
          </p>
        )}
      </div>
      {found === undefined ? null : found.authors.length === 0 ? (
        <ByIdOnly key={found.text} insight={insight} id={found.text} onErase={erase} />
      ) : (
        <ul class={styles["authors"]}>
          {found.authors.map((author) => (
            <li key={`${author.platform} ${author.id}`} class={styles["row"]}>
              <span class={styles["author"]}>
                <bdi>{author.name ?? author.id}</bdi>
                <span class="muted">
                  {" "}
                  {words.labels.platform(author.platform)} · <bdi>{inLine(author.username ?? author.id, 80)}</bdi>
                </span>
              </span>
              <LinkButton
                isSmall
                href={addressOf(
                  `/insights/${insight.id}/postings`,
                  new URLSearchParams([
                    ["from", "2000-01-01"],
                    ["author", author.id],
                  ]),
                )}
              >
                {w.look}
              </LinkButton>
              <Button
                isSmall
                kind="danger"
                onClick={() => erase({ platform: author.platform, author_id: author.id }, author.name)}
              >
                {words.postings.eraseAuthor}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {erasing === undefined ? null : (
        <EraseDialog
          insightId={insight.id}
          {...erasing}
          onClose={() => setErasing(undefined)}
          onErased={() => setFound(undefined)}
        />
      )}
    </section>
  );
}

interface ByIdOnlyProps {
  readonly insight: Insight;
  readonly id: string;
  readonly onErase: (erased: Erased, author: undefined) => void;
}

/** Other insights may have postings of an author whom this one does not know, and later looks may find some. */
function ByIdOnly({ insight, id, onErase }: ByIdOnlyProps) {
  const w = words.collection.erase;
  const platforms = insight.query.platforms;
  const [platform, setPlatform] = useState<Platform | undefined>(platforms[0]);
  if (platform === undefined) return null;
  return (
    <div class={styles["find"]}>
      <p>{w.byId}</p>
      <Select
        label={w.platform}
        value={platform}
        options={platforms.map((value) => ({ value, label: words.labels.platform(value) }))}
        onChange={setPlatform}
      />
      <Button kind="danger" onClick={() => onErase({ platform, author_id: id }, undefined)}>
        {words.postings.eraseAuthor}
      </Button>
    </div>
  );
}

/** The different authors of postings; those without an id cannot be told apart, and not be erased. */
function authorsIn(postings: readonly Posting[]): Author[] {
  const authors = new Map<string, Author>();
  for (const posting of postings) {
    const { platform, author_id: id, author_username: username } = posting;
    if (id !== null) authors.set(`${platform} ${id}`, { platform, id, name: authorOf(posting), username });
  }
  return [...authors.values()];
}

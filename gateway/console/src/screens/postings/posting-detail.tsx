import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { addressOf, narrowedTo } from "../../data/filters.js";
import { type Erased, useWhy } from "../../data/postings.js";
import { authorOf, cut, inLine, labelsOf, partsOf, type Posting, postedAt, topicsOf } from "../../data/posting-view.js";
import { httpUrl } from "../../data/links.js";
import { useServer } from "../../data/server.js";
import { Button, LinkButton } from "../../parts/button.js";
import { Chip, Chips } from "../../parts/chip.js";
import { useKeys } from "../../parts/keys.js";
import { MarkedText } from "../../parts/marked-text/marked-text.js";
import { useAddress } from "../../parts/navigation.js";
import { LabelChip } from "../../parts/posting-card/label-chip.js";
import { exactMoment } from "../../words/times.js";
import { words } from "../../words/postings.js";
import { EraseDialog } from "../insight/erase-dialog.js";
import { marksOf } from "./marks.js";
import { PostingFields } from "./posting-fields.js";
import styles from "./postings.module.css";
import { Why } from "./why.js";

/** Of a very long text, so much is shown at first. In UTF-16 units. */
const TEXT_MAX = 5_000;
const NAME_MAX = 120;
/** Tags and mentions that are shown. */
const TAGS_MAX = 30;

export interface PostingDetailProps {
  readonly insightId: number;
  readonly postingKey: string;
  readonly posting: Posting;
  readonly isNarrow: boolean;
  readonly onBack: () => void;
  readonly onErased: (erased: Erased) => void;
}

/** All about one posting: its text with the words that decided, its labels with their evidence, and what can be done. */
export function PostingDetail(props: PostingDetailProps) {
  const { insightId, postingKey, posting, isNarrow, onBack, onErased } = props;
  const w = words.postings;
  const [isWhy, setWhy] = useState(false);
  const [analysis, setAnalysis] = useState("sentiment-simple");
  const [erasing, setErasing] = useState<Erased>();
  const { platform, social_id: socialId, author_id: authorId } = posting;
  const why = useWhy(insightId, postingKey, isWhy);
  const url = httpUrl(posting.social_url);
  const toggleWhy = (): void => setWhy(!isWhy);
  useKeys([
    { keys: "w", label: w.keys.why, run: toggleWhy },
    ...(url === undefined
      ? []
      : [{ keys: "o", label: w.keys.source, run: () => void open(url, "_blank", "noopener,noreferrer") }]),
  ]);
  const found = why.data?.analyses?.find(({ type }) => type === analysis);
  return (
    <div class={styles["posting"]}>
      {isNarrow ? (
        <div>
          <Button isSmall icon="previous" shortcut="Esc" onClick={onBack}>
            {w.back}
          </Button>
        </div>
      ) : null}
      <Head posting={posting} />
      <Text posting={posting} shown={found} />
      <Labels posting={posting} />
      <div class={styles["row"]}>
        <Button isSmall expanded={isWhy} shortcut="w" onClick={toggleWhy}>
          {w.why}
        </Button>
        {url === undefined ? (
          <span class="muted small">{w.noSource}</span>
        ) : (
          <LinkButton isSmall isExternal icon="external" href={url} shortcut="o">
            {w.source}
          </LinkButton>
        )}
      </div>
      {isWhy ? <Why query={why} posting={posting} analysis={analysis} onAnalysis={setAnalysis} /> : null}
      <About posting={posting} />
      <PostingFields posting={posting} />
      <div class={styles["row"]}>
        <Button
          isSmall
          kind="danger"
          {...(socialId === null
            ? { disabled: true, reason: w.noId }
            : { onClick: () => setErasing({ platform, social_id: socialId }) })}
        >
          {w.erase}
        </Button>
        <Button
          isSmall
          kind="danger"
          {...(authorId === null
            ? { disabled: true, reason: w.noAuthorId }
            : { onClick: () => setErasing({ platform, author_id: authorId }) })}
        >
          {w.eraseAuthor}
        </Button>
      </div>
      {erasing === undefined ? null : (
        <EraseDialog
          insightId={insightId}
          erased={erasing}
          author={authorOf(posting)}
          onClose={() => setErasing(undefined)}
          onErased={() => onErased(erasing)}
        />
      )}
    </div>
  );
}

function Head({ posting }: { readonly posting: Posting }) {
  const { path, parameters } = useAddress();
  const { platform, author_username: username, author_id: id, author_name: name, text_post_type: type } = posting;
  const at = postedAt(posting);
  const author = authorOf(posting);
  const wanted = id ?? username ?? name;
  const others = new URLSearchParams(parameters);
  others.delete("posting");
  const w = words.postings;
  const place = posting.place_full_name ?? posting.place_country_name ?? posting.place_country_code;
  return (
    <header class={styles["head-of"]}>
      <h2>
        <bdi>{author ?? words.postingCard.unknownAuthor}</bdi>
      </h2>
      {username === null || isSame(username, name ?? username) ? null : (
        <bdi class="muted">@{inLine(username.replace(/^@/, ""), NAME_MAX)}</bdi>
      )}
      <p class="muted small">
        {words.labels.platform(platform)}
        {type === null ? null : (
          <>
            {" · "}
            <bdi>{inLine(type, NAME_MAX)}</bdi>
          </>
        )}
        {" · "}
        {at === undefined ? words.postingCard.unknownTime : exactMoment(new Date(at))}
        {place === null ? null : (
          <>
            {" · "}
            <bdi>{inLine(place, NAME_MAX)}</bdi>
          </>
        )}
      </p>
      {wanted === null || wanted.length > NAME_MAX ? null : (
        <a class="small" href={addressOf(path, narrowedTo(others, "author", wanted))}>
          {w.allOfAuthor}
        </a>
      )}
    </header>
  );
}

/** Some platforms write the sign into the name. */
function isSame(username: string, name: string): boolean {
  return username.replace(/^@/, "") === name.replace(/^@/, "");
}

interface TextProps {
  readonly posting: Posting;
  /** The analysis whose words are marked. */
  readonly shown: Parameters<typeof marksOf>[1];
}

function Text({ posting: { text_of_post: whole }, shown }: TextProps) {
  const w = words.postings;
  const [isUnfolded, setUnfolded] = useState(false);
  const [isAll, setAll] = useState(false);
  const parts = useMemo(() => partsOf(whole ?? ""), [whole]);
  const marks = useMemo(() => marksOf(whole ?? "", shown), [whole, shown]);
  if (whole === null || whole === "") return <p class="muted">{words.postingCard.noText}</p>;
  const from = parts.isFolded && !isUnfolded ? parts.from : 0;
  const to = isAll ? whole.length : Math.min(whole.length, from + TEXT_MAX);
  const moved = marks
    .filter(({ end, start }) => end > from && start < to)
    .map((mark) => ({ ...mark, start: mark.start - from, end: mark.end - from }));
  return (
    <div class={styles["text"]}>
      <MarkedText text={whole.slice(from, to)} marks={moved} />
      <div class={styles["row"]}>
        {parts.isFolded ? (
          <Button kind="plain" isSmall expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? w.foldTitle : w.unfoldTitle}
          </Button>
        ) : null}
        {to < whole.length ? (
          <Button kind="plain" isSmall onClick={() => setAll(true)}>
            {w.showAllText(whole.length)}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function Labels({ posting }: { readonly posting: Posting }) {
  const w = words.postings;
  const { polarity, emotion, intention, isSpam } = labelsOf(posting);
  const errors = posting.more_info?.["errors"];
  return (
    <dl class={styles["labels"]}>
      {polarity === undefined ? null : (
        <Row name={w.polarity}>
          <LabelChip kind="polarity" label={polarity} />
        </Row>
      )}
      {emotion === undefined ? null : (
        <Row name={w.emotion}>
          <LabelChip kind="emotion" label={emotion} />
          {emotion.isUnsure ? (
            <span class="muted small"> {posting.sentiments === null ? w.noEvidence : words.labels.unsureHelp}</span>
          ) : null}
        </Row>
      )}
      {intention === undefined ? null : (
        <Row name={w.intention}>
          <LabelChip kind="intention" label={intention} />
        </Row>
      )}
      {isSpam ? <Row name={w.judgedAs}>{words.postingCard.spam}</Row> : null}
      {Array.isArray(errors) && errors.length > 0 ? (
        <Row name={w.errors}>
          <ul>
            {errors.slice(0, TAGS_MAX).map((error, at) => (
              <li key={at} dir="auto">
                {cut(typeof error === "string" ? error : JSON.stringify(error), 500)}
              </li>
            ))}
          </ul>
        </Row>
      ) : null}
    </dl>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Topics, tags, language and counts. A topic or tag leads to the postings that have it. */
function About({ posting }: { readonly posting: Posting }) {
  const w = words.postings;
  const { path, parameters } = useAddress();
  const { data: server } = useServer();
  const others = new URLSearchParams(parameters);
  others.delete("posting");
  const hrefOf = (kind: "topic" | "tag" | "label", value: string): string =>
    addressOf(path, narrowedTo(others, kind, value));
  const { text_post_lang: language, text_post_tagged_users: users } = posting;
  const isSupported = language !== null && server?.languages.includes(language.split("-")[0]?.toLowerCase() ?? "");
  const lists = [
    { name: w.topics, kind: "topic", values: topicsOf(posting) },
    { name: w.tags, kind: "tag", values: posting.text_post_tags ?? [] },
    { name: w.seen, kind: "label", values: posting.visual_detection_analyses ?? [] },
  ] as const;
  return (
    <dl class={styles["labels"]}>
      {lists.map(({ name, kind, values }) =>
        values.length === 0 ? null : (
          <Row key={kind} name={name}>
            <Chips>
              {values.slice(0, TAGS_MAX).map((value) => (
                <Chip key={value} {...(value.length > NAME_MAX ? {} : { href: hrefOf(kind, value) })}>
                  <bdi>
                    {kind === "tag" ? "#" : ""}
                    {inLine(value, NAME_MAX)}
                  </bdi>
                </Chip>
              ))}
            </Chips>
          </Row>
        ),
      )}
      {users === null || users.length === 0 ? null : (
        <Row name={w.mentions}>
          {users.slice(0, TAGS_MAX).map((user) => (
            <bdi key={user} class={styles["mention"]}>
              {inLine(user, NAME_MAX)}{" "}
            </bdi>
          ))}
        </Row>
      )}
      <Row name={w.language}>
        {language === null ? (
          <span class="muted">{w.notStated}</span>
        ) : (
          <>
            <bdi>{inLine(words.labels.language(language.slice(0, 20)), NAME_MAX)}</bdi>{" "}
            {server === undefined ? null : (
              <span class="muted">{isSupported ? w.supported : words.labels.notSupported()}</span>
            )}
          </>
        )}
      </Row>
      <Counts posting={posting} />
    </dl>
  );
}

function Counts({ posting }: { readonly posting: Posting }) {
  const stated = Object.entries(posting).flatMap(([field, value]) =>
    field.endsWith("_count") && typeof value === "string" ? [[field, value] as const] : [],
  );
  if (stated.length === 0) return null;
  return (
    <Row name={words.postings.counts}>
      {stated.map(([field, value]) => words.postings.countOf(field, value)).join(" · ")}
    </Row>
  );
}

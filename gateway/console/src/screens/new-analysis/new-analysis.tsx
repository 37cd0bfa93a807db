import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { createAnalysis, useAnalysis } from "../../data/analyses.js";
import { fieldError } from "../../data/failure.js";
import { useOnce } from "../../data/idempotency.js";
import { useMe, useServer, type Server } from "../../data/server.js";
import { Button } from "../../parts/button.js";
import { Check, TextField } from "../../parts/field.js";
import { useAddress, useUnsaved } from "../../parts/navigation.js";
import { Screen } from "../../parts/screen.js";
import { Load, Problem } from "../../parts/states.js";
import { Tabs } from "../../parts/tabs.js";
import { analysisWords } from "../../words/analyses.js";
import { AddressesInput } from "./addresses-input.js";
import { AnalysesChoice, missingReason } from "./analyses-choice.js";
import {
  addressesOf,
  applicable,
  draftOf,
  EMPTY_DRAFT,
  groupsOf,
  KINDS,
  requestOf,
  textsOf,
  type Draft,
  type Kind,
} from "./draft.js";
import { FilesInput, useUploadQueue } from "./files-input.js";
import { GroupingChoice } from "./grouping-choice.js";
import styles from "./new-analysis.module.css";
import { bodyBytes } from "./texts.js";
import { TextsInput } from "./texts-input.js";

/** Characters of a name. */
const NAME_MAX = 120;
/** Groups that the interface takes. */
const GROUPS_MAX = 1000;
/** Longer input is looked at when typing pauses. In characters, and in milliseconds. */
const LARGE_INPUT = 100_000;
const PAUSE_MS = 300;

/** A new analysis of texts, files or addresses. `?from=` copies an earlier one. */
export function NewAnalysis() {
  const { parameters } = useAddress();
  const server = useServer();
  const from = Number(parameters.get("from") ?? Number.NaN);
  const w = analysisWords.create;
  return (
    <Screen title={w.title}>
      <Load query={server} height="40rem">
        {(data) =>
          Number.isInteger(from) && from > 0 ? (
            <Copied id={from} server={data} />
          ) : (
            <Form server={data} draft={EMPTY_DRAFT} />
          )
        }
      </Load>
    </Screen>
  );
}

function Copied({ id, server }: { readonly id: number; readonly server: Server }) {
  const analysis = useAnalysis(id);
  return (
    <Load query={analysis} height="40rem">
      {({ query }) => {
        const { draft, kind } = draftOf(query);
        return <Form server={server} draft={draft} kind={kind} isCopy />;
      }}
    </Load>
  );
}

interface FormProps {
  readonly server: Server;
  readonly draft: Draft;
  readonly kind?: Kind;
  readonly isCopy?: boolean;
}

function Form({ server, draft: first, kind: firstKind = "text", isCopy = false }: FormProps) {
  const { parameters, hrefWith, go } = useAddress();
  const { limits } = server;
  const { data: me } = useMe();
  const w = analysisWords.create;
  const [draft, setDraft] = useState(first);
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const queue = useUploadQueue(limits);
  const once = useOnce();
  const asked = parameters.get("type");
  const kind = KINDS.find((one) => one === asked || `${one}s` === asked) ?? firstKind;
  const change = (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes }));

  const text = usePaused(draft.text);
  const { split, column, hasHeader, groupColumn, urls } = draft;
  const found = useMemo(
    () => textsOf({ text, split, column, hasHeader, groupColumn }, limits.text_characters),
    [text, split, column, hasHeader, groupColumn, limits],
  );
  const addresses = useMemo(() => addressesOf({ urls }), [urls]);
  const items = queue.items.value;
  const given = { text: found.texts, file: queue.fileIds(), url: addresses.addresses }[kind];
  const contents = draft.isCut ? given.slice(0, limits.contents) : given;
  const chosen = draft.analyses.filter((analysis) => missingReason(server, analysis) === undefined);
  const analyses = applicable(chosen, kind);
  const hasPersonality = analyses.includes("personality-mb");
  const { groups, faults } = groupsOf(draft, contents.length, kind === "text" ? found.groupValues : []);
  const size = useMemo(() => bodyBytes(contents, limits.body_bytes), [contents.length, found, limits]);

  const reason = ((): string | undefined => {
    if (me?.role === "viewer") return analysisWords.viewer;
    if (kind === "file" && items.some(({ state }) => ["checking", "waiting", "uploading"].includes(state.kind))) {
      return w.stillUploading;
    }
    if (contents.length === 0) return w.nothingYet[kind];
    const isFaulty =
      kind === "text"
        ? found.tooLong.some(({ index }) => index < contents.length)
        : kind === "url" && addresses.faults.length > 0;
    const hasBadGroups = hasPersonality && (faults.length > 0 || (groups?.length ?? 0) > GROUPS_MAX);
    if (contents.length > limits.contents || size > limits.body_bytes || isFaulty || hasBadGroups) return w.mendFirst;
    if (analyses.length === 0) return kind === "text" ? w.chooseTextual : w.chooseAnalysis;
    return undefined;
  })();

  const names = items.flatMap(({ name, state }) => (state.kind === "ready" ? [name] : []));
  const filesName = kind === "file" && names[0] !== undefined ? w.filesName(names[0], names.length - 1) : "";
  const isTyped = draft.text !== first.text || draft.urls !== first.urls || items.length > 0;
  useUnsaved(isTyped && !isSending);

  const submit = async (): Promise<void> => {
    if (reason !== undefined || isSending) return;
    const name = draft.name.trim() === "" ? [...filesName].slice(0, NAME_MAX).join("") : draft.name;
    const request = requestOf({ ...draft, name, analyses: chosen }, kind, contents, groups);
    setSending(true);
    setError(undefined);
    try {
      go(`/analyses/${await once(request, (key) => createAnalysis(request, key))}`);
    } catch (failure) {
      setSending(false);
      setError(failure);
    }
  };
  useEffect(() => {
    if (error === undefined) return;
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (wrong === null || wrong === undefined)
      form.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
    else wrong.focus();
  }, [error]);

  const contentsError = fieldError(error, "contents");
  return (
    <form
      ref={form}
      class={styles["form"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void submit();
      }}
    >
      <div class={styles["stack"]}>
        {isCopy ? <p class="muted">{w.again}</p> : null}
        <Tabs
          label={w.kindsLabel}
          tabs={KINDS.map((one) => ({ href: hrefWith({ type: one }), label: w.kinds[one], isCurrent: one === kind }))}
        />
        {kind === "text" ? (
          <TextsInput
            draft={draft}
            found={found}
            charactersMax={limits.text_characters}
            error={contentsError}
            onChange={change}
          />
        ) : kind === "file" ? (
          <FilesInput queue={queue} limits={limits} error={contentsError} />
        ) : (
          <AddressesInput
            value={urls}
            addresses={addresses.addresses}
            faults={addresses.faults}
            error={contentsError}
            onChange={(value) => change({ urls: value })}
          />
        )}
        {draft.isCut && given.length > limits.contents ? (
          <p class="small muted" role="status">
            {w.takenFirst(limits.contents, given.length)}
          </p>
        ) : null}
        {contents.length > limits.contents ? (
          <div class={styles["fault"]} role="alert">
            {w.tooMany(contents.length, limits.contents)}{" "}
            <Button isSmall onClick={() => change({ isCut: true })}>
              {w.takeFirst(limits.contents)}
            </Button>
          </div>
        ) : null}
        {size > limits.body_bytes ? (
          <p class={styles["fault"]} role="alert">
            {w.tooLarge(size, limits.body_bytes)}
          </p>
        ) : null}
      </div>
      <AnalysesChoice
        server={server}
        chosen={chosen}
        hasMedia={kind !== "text"}
        error={fieldError(error, "analyses")}
        onChange={(next) => change({ analyses: next })}
      />
      <div class={styles["card"]}>
        {hasPersonality && (groups?.length ?? 0) > GROUPS_MAX ? (
          <p class={styles["fault"]} role="alert">
            {w.tooManyGroups(groups?.length ?? 0, GROUPS_MAX)}
          </p>
        ) : null}
        {hasPersonality ? (
          <GroupingChoice
            draft={draft}
            found={found}
            faults={faults}
            error={fieldError(error, "contents_groups")}
            onChange={change}
          />
        ) : null}
        <Check
          label={w.explain}
          help={w.explainHelp}
          checked={draft.explain}
          onChange={(explain) => change({ explain })}
        />
        <div class={styles["narrow"]}>
          <TextField
            label={w.name}
            isOptional
            help={w.nameHelp}
            maxLength={NAME_MAX}
            value={draft.name}
            placeholder={filesName}
            error={fieldError(error, "name")}
            onInput={(name) => change({ name })}
          />
        </div>
      </div>
      <div class={styles["foot"]}>
        {error === undefined ? null : <Problem error={error} onRetry={() => void submit()} />}
        <div class={styles["row"]}>
          <Button
            kind="primary"
            type="submit"
            disabled={reason !== undefined || isSending}
            shortcut={w.submitKey}
            {...(reason === undefined ? {} : { reason })}
          >
            {w.submit(contents.length, kind)}
          </Button>
          <span class="small muted" role="status">
            {reason}
          </span>
        </div>
      </div>
    </form>
  );
}

/** The text itself while it is short; a large one when typing pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  const isLarge = text.length > LARGE_INPUT;
  useEffect(() => {
    if (!isLarge) return undefined;
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isLarge]);
  return isLarge ? paused : text;
}

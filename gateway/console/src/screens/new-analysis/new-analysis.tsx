import { useEffect, useRef, useState } from "preact/hooks";
import { createAnalysis, useWholeAnalysis } from "../../data/analyses.js";
import { fieldError } from "../../data/failure.js";
import { useOnce } from "../../data/idempotency.js";
import { useMe, useServer, type Server } from "../../data/server.js";
import { Button } from "../../parts/button.js";
import { Check, Select, TextField } from "../../parts/field.js";
import { useAddress, useUnsaved } from "../../parts/navigation.js";
import { Screen } from "../../parts/screen.js";
import { Load, Problem } from "../../parts/states.js";
import { Tabs } from "../../parts/tabs.js";
import type { UploadQueue } from "../../parts/uploader/upload-queue.js";
import { analysisWords } from "../../words/analyses.js";
import { AddressesInput } from "./addresses-input.js";
import { AnalysesChoice } from "./analyses-choice.js";
import { draftOf, EMPTY_DRAFT, KINDS, requestOf, type Draft, type Kind } from "./draft.js";
import { FilesInput, useUploadQueue } from "./files-input.js";
import { GROUPS_MAX, useGiven, whyNot, type Given } from "./given.js";
import { GroupingChoice } from "./grouping-choice.js";
import styles from "./new-analysis.module.css";
import { partsOf } from "./parts.js";
import { TextsInput } from "./texts-input.js";

/** Characters of a name. */
const NAME_MAX = 120;

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
  const analysis = useWholeAnalysis(id);
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
  const { data: me } = useMe();
  const [draft, setDraft] = useState(first);
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const queue = useUploadQueue(server.limits);
  const once = useOnce();
  const asked = parameters.get("type");
  const kind = KINDS.find((one) => one === asked || `${one}s` === asked) ?? firstKind;
  const given = useGiven(draft, kind, server, queue);
  const reason = whyNot(given, server, queue, me?.role);
  const filesName = kind === "file" ? nameOf(queue) : "";
  const isTyped = draft.text !== first.text || draft.urls !== first.urls || queue.items.value.length > 0;
  useUnsaved(isTyped && !isSending);

  const submit = async (): Promise<void> => {
    if (reason !== undefined || isSending) return;
    const name = draft.name.trim() === "" ? [...filesName].slice(0, NAME_MAX).join("") : draft.name;
    const { contents, chosen, groups } = given;
    const request = requestOf({ ...draft, name, analyses: chosen }, kind, contents, groups.groups);
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
    if (error !== undefined && form.current !== null) showFault(form.current);
  }, [error]);

  const w = analysisWords.create;
  const inputs: InputsProps = {
    ...{ server, draft, given, queue, error },
    onChange: (changes) => setDraft((before) => ({ ...before, ...changes })),
  };
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
        <Contents {...inputs} />
        <Excess {...inputs} />
      </div>
      <AnalysesChoice
        server={server}
        chosen={given.chosen}
        hasMedia={kind !== "text"}
        error={fieldError(error, "analyses")}
        onChange={(analyses) => inputs.onChange({ analyses })}
      />
      <Options {...inputs} usualName={filesName} />
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
            {w.submit(given.contents.length, kind)}
          </Button>
          <span class="small muted" role="status">
            {reason}
          </span>
        </div>
      </div>
    </form>
  );
}

/** What files are called together: the first one, and how many more. */
function nameOf({ items }: UploadQueue): string {
  const names = items.value.flatMap(({ name, state }) => (state.kind === "ready" ? [name] : []));
  return names[0] === undefined ? "" : analysisWords.create.filesName(names[0], names.length - 1);
}

/** The focus goes to the first field that is wrong; otherwise what was refused comes into sight. */
function showFault(form: HTMLFormElement): void {
  const wrong = form.querySelector<HTMLElement>("[aria-invalid=true]");
  if (wrong === null) form.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  else wrong.focus();
}

interface InputsProps {
  readonly server: Server;
  readonly draft: Draft;
  readonly given: Given;
  readonly queue: UploadQueue;
  readonly error: unknown;
  readonly onChange: (changes: Partial<Draft>) => void;
}

/** Where texts, files or addresses are given. */
function Contents({ server: { limits }, draft, given, queue, error, onChange }: InputsProps) {
  const refusal = fieldError(error, "contents");
  switch (given.kind) {
    case "text":
      return (
        <TextsInput
          draft={draft}
          found={given.texts}
          charactersMax={limits.text_characters}
          error={refusal}
          onChange={onChange}
        />
      );
    case "file":
      return <FilesInput queue={queue} limits={limits} error={refusal} />;
    case "url":
      return (
        <AddressesInput
          value={draft.urls}
          addresses={given.addresses.addresses}
          faults={given.addresses.faults}
          error={refusal}
          onChange={(urls) => onChange({ urls })}
        />
      );
  }
}

/** What is more than the server takes, and the way out. */
function Excess({ server: { limits }, draft, given: { kind, all, contents, size }, onChange }: InputsProps) {
  const w = analysisWords.create;
  const parts = partsOf(all.length, limits.contents);
  const isChosen = draft.part !== undefined;
  return (
    <>
      {all.length > limits.contents ? (
        <div class={styles["stack"]}>
          <p class={isChosen ? "small muted" : styles["fault"]} role={isChosen ? "status" : "alert"}>
            {isChosen ? w.takenPart(contents.length, all.length, kind) : w.tooMany(all.length, limits.contents, kind)}
          </p>
          <div class={styles["narrow"]}>
            <Select
              label={w.part}
              value={String(draft.part ?? "")}
              options={[
                ...(isChosen ? [] : [{ value: "", label: w.noPart }]),
                ...parts.map(([first, last], part) => ({ value: String(part), label: w.partFrom(first, last) })),
              ]}
              onChange={(part) => onChange({ part: part === "" ? undefined : Number(part) })}
            />
          </div>
        </div>
      ) : null}
      {size > limits.body_bytes ? (
        <p class={styles["fault"]} role="alert">
          {w.tooLarge(size, limits.body_bytes)}
        </p>
      ) : null}
    </>
  );
}

/** Groups, explanations and a name. `usualName`: what it is called without one. */
function Options({ draft, given, error, onChange, usualName }: InputsProps & { readonly usualName: string }) {
  const { texts, hasPersonality, groups: asked } = given;
  const { groups, faults } = asked;
  const w = analysisWords.create;
  return (
    <div class={styles["card"]}>
      {hasPersonality && (groups?.length ?? 0) > GROUPS_MAX ? (
        <p class={styles["fault"]} role="alert">
          {w.tooManyGroups(groups?.length ?? 0, GROUPS_MAX)}
        </p>
      ) : null}
      {hasPersonality ? (
        <GroupingChoice
          draft={draft}
          found={texts}
          faults={faults}
          error={fieldError(error, "contents_groups")}
          onChange={onChange}
        />
      ) : null}
      <Check
        label={w.explain}
        help={w.explainHelp}
        checked={draft.explain}
        onChange={(explain) => onChange({ explain })}
      />
      <div class={styles["narrow"]}>
        <TextField
          label={w.name}
          isOptional
          help={w.nameHelp}
          maxLength={NAME_MAX}
          value={draft.name}
          placeholder={usualName}
          error={fieldError(error, "name")}
          onInput={(name) => onChange({ name })}
        />
      </div>
    </div>
  );
}

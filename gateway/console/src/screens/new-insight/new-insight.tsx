import { useLocation } from "preact-iso/router";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  adviceIn,
  createInsight,
  type Insight,
  mistakesIn,
  type NewInsight,
  useCheck,
  useSource,
  warningsIn,
} from "../../data/new-insight.js";
import { deleteInsight } from "../../data/insights.js";
import { session } from "../../data/session.js";
import { useMe } from "../../data/server.js";
import { usePlatforms, type PlatformInfo } from "../../data/settings.js";
import { describeError } from "../../data/failure.js";
import { useOnce } from "../../data/idempotency.js";
import { useCommands } from "../../data/commands.js";
import { Button } from "../../parts/button.js";
import { deleteLater, undoDeletion } from "../../parts/deletion.js";
import { useKeys } from "../../parts/keys.js";
import { useAddress, useUnsaved, withParameters } from "../../parts/navigation.js";
import { QueryEditor } from "../../parts/query-editor/query-editor.js";
import { Screen } from "../../parts/screen.js";
import { Load, Problem } from "../../parts/states.js";
import { toast } from "../../parts/toasts.js";
import { words } from "../../words/new-insight.js";
import { type Draft, draftOf, EMPTY_DRAFT, missingIn, onOneLine, type Platform, requestOf } from "./draft.js";
import { withExclusion } from "./exclusion.js";
import { Details } from "./details.js";
import styles from "./new-insight.module.css";
import { PlatformRows } from "./platform-rows.js";
import { Preview } from "./preview.js";
import { QueryHelp } from "./query-help.js";
import { Understood } from "./understood.js";

/** States in which a platform collects as soon as it is asked to. */
const READY = new Set(["collecting", "waiting", "budget_spent"]);

/** `/insights/new`: what to look for, where, what it costs, and a look at what it finds, before it starts. */
export function NewInsightScreen() {
  const { parameters, hrefWith, go } = useAddress();
  const platforms = usePlatforms();
  // The preview has what was typed last: after a reload it is read from there.
  const [preview] = useState(() => idOf(parameters.get("preview")));
  const from = preview ?? idOf(parameters.get("from"));
  const source = useSource(from);
  // The form stays as it is typed when what it began with is read again, changed or deleted.
  const begun = useRef<Insight>(undefined);
  if (begun.current?.id !== from) begun.current = source.data;
  const isGone = begun.current === undefined && describeError(source.error).isGone;
  // A preview that has served is deleted: what is left is an empty form.
  useEffect(() => {
    if (isGone && preview !== undefined) go(hrefWith({ preview: undefined }), true);
  }, [isGone]);
  const w = words.newInsight;
  const name = source.data?.name ?? source.data?.terms;
  const isCopy = parameters.has("from") && name !== undefined;
  return (
    <Screen title={isCopy ? w.titleOfCopy(shortened(name)) : w.title}>
      {isGone && preview === undefined ? <Problem error={source.error} /> : null}
      <Load query={platforms} height="40rem">
        {(infos) =>
          begun.current !== undefined || from === undefined || isGone ? (
            <Form key={from} infos={infos} source={begun.current} />
          ) : (
            <Load query={source} height="40rem">
              {() => null}
            </Load>
          )
        }
      </Load>
    </Screen>
  );
}

function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

function idOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

interface FormProps {
  readonly infos: readonly PlatformInfo[];
  /** What is copied, or looked at. */
  readonly source: Insight | undefined;
}

function Form({ infos, source }: FormProps) {
  const w = words.newInsight;
  const { route } = useLocation();
  const { path, parameters } = useAddress();
  const { data: me } = useMe();
  const [initial] = useState<Draft>(() =>
    // The home screen has a field for words, too.
    source === undefined ? { ...EMPTY_DRAFT, keywords: parameters.get("words") ?? "" } : draftOf(source),
  );
  const [draft, setDraft] = useState(initial);
  const [failure, setFailure] = useState<unknown>();
  const [isHelp, setHelp] = useState(false);
  const [isDone, setDone] = useState(false);
  /** What the preview was asked, to say when the form has changed since. */
  const [looked, setLooked] = useState(() => (parameters.has("preview") ? JSON.stringify(previewed(initial)) : ""));
  const area = useRef<HTMLTextAreaElement>(null);
  const once = useOnce();
  const create = (wanted: NewInsight): Promise<number> => once(wanted, (key) => createInsight(wanted, key));
  const previewId = idOf(parameters.get("preview"));
  const ownPreview = useOwnPreview(previewId);
  const ready = infos.filter(({ state }) => READY.has(state)).map(({ platform }) => platform);
  const chosen = (draft.platforms ?? ready).filter((platform) => infos.some((info) => info.platform === platform));
  const hasWords = draft.keywords.trim() !== "";
  // What every platform would be asked is shown before one is chosen; mistakes and warnings are those of the chosen ones.
  const all = useCheck(hasWords ? withoutNames(requestOf(draft, platformsOf(infos))) : undefined);
  const own = useCheck(hasWords && chosen.length > 0 ? requestOf(draft, chosen) : undefined);
  const checked = chosen.length > 0 ? own : all;
  const shownError = failure ?? checked.error;
  useUnsaved(
    !isDone && JSON.stringify(draft) !== JSON.stringify(initial) && JSON.stringify(previewed(draft)) !== looked,
  );

  const change = (changes: Partial<Draft>): void => {
    setFailure(undefined);
    setDraft((before) => ({ ...before, ...changes }));
  };
  const exclude = (written: string): void => {
    change({ keywords: withExclusion(draft.keywords, written) });
    toast(w.excluded(written));
    area.current?.focus();
  };
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setFailure(undefined);
    try {
      await act();
    } catch (error) {
      setFailure(error);
      if (mistakesIn(error, "query.keywords").length > 0) area.current?.focus();
    }
  };
  const look = (): Promise<void> =>
    attempt(async () => {
      const id = await create(requestOf(draft, chosen, true));
      setLooked(JSON.stringify(previewed({ ...draft, platforms: chosen })));
      ownPreview.current = id;
      // With the words, for the time when the preview is gone.
      route(withParameters(path, parameters, { preview: String(id), words: draft.keywords }), true);
      if (previewId !== undefined) await deleteInsight(previewId, false).catch(() => undefined);
    });
  const start = (): Promise<void> =>
    attempt(async () => {
      const id = await create(requestOf(draft, chosen));
      setDone(true);
      ownPreview.current = undefined;
      // It has served; if that fails, it stays in the list as what it is.
      if (previewId !== undefined) await deleteInsight(previewId, false).catch(() => undefined);
      toast(w.starting);
      // Back leads to before the form: this one is done with.
      route(`/insights/${id}/postings`, true);
      scrollTo(0, 0);
    });

  const missing = missingIn(draft, chosen);
  const reason =
    me?.role === "viewer"
      ? w.viewer
      : missing !== undefined
        ? w.missing[missing]
        : isRefused(checked.error)
          ? w.mistakes
          : undefined;
  const disabled = reason === undefined ? {} : { disabled: true, reason };
  useKeys([
    {
      keys: "/",
      label: words.keys.search,
      run: () => {
        area.current?.focus();
      },
    },
  ]);
  useCommands(
    [
      { id: "look-first", group: words.keys.actions, label: w.lookFirst, run: () => void look() },
      { id: "start", group: words.keys.actions, label: w.start, run: () => void start() },
      { id: "query-help", group: words.keys.actions, label: w.howTo, run: () => setHelp(true) },
    ].filter(({ id }) => reason === undefined || id === "query-help"),
  );

  return (
    <>
      <form class={styles["form"]} aria-label={w.title} onSubmit={(event) => event.preventDefault()}>
        <p class="muted">{w.intro}</p>
        <div class={styles["words"]}>
          <QueryEditor
            label={w.keywords}
            value={draft.keywords}
            onInput={(text) => change({ keywords: onOneLine(text) })}
            mistakes={mistakesIn(shownError, "query.keywords")}
            advice={checked.isCurrent ? adviceIn(checked.plan) : []}
            help={w.keywordsHelp}
            areaRef={area}
            beside={
              <Button isSmall kind="plain" onClick={() => setHelp(true)}>
                {w.howTo}
              </Button>
            }
          />
          <Understood checked={checked} isEmpty={!hasWords} />
        </div>
        <PlatformRows
          infos={infos}
          chosen={chosen}
          plans={all.plan?.platforms ?? []}
          ownPlans={own.plan?.platforms ?? []}
          follow={draft.follow}
          error={shownError}
          hasWords={hasWords}
          onChoose={(platforms: readonly Platform[]) => change({ platforms })}
          onFollow={(kind, text) => change({ follow: { ...draft.follow, [kind]: text } })}
        />
        <Details draft={draft} error={shownError} warnings={warningsIn(own.plan)} onChange={change} />
        {failure !== undefined ? (
          <Problem error={failure} />
        ) : isRefused(checked.error) && describeError(checked.error).fields.length === 0 ? (
          // Such as one that is too large to be looked at.
          <Problem error={checked.error} />
        ) : null}
        <div class={styles["actions"]}>
          <Button kind="primary" onClick={start} {...disabled}>
            {w.start}
          </Button>
          <span class="muted small">{w.startHelp}</span>
          <Button onClick={look} {...disabled}>
            {previewId === undefined ? w.lookFirst : w.lookAgain}
          </Button>
          <span class="muted small">{w.lookFirstHelp}</span>
        </div>
      </form>
      {previewId === undefined ? null : (
        <Preview
          id={previewId}
          keywords={draft.keywords}
          isOutdated={looked !== JSON.stringify(previewed({ ...draft, platforms: chosen }))}
          onExclude={exclude}
        />
      )}
      {isHelp ? <QueryHelp onClose={() => setHelp(false)} /> : null}
    </>
  );
}

/** The preview that was made here: it is deleted when the form is left, unless its user wants to keep it. */
function useOwnPreview(shown: number | undefined): { current: number | undefined } {
  const own = useRef<number>(undefined);
  useEffect(() => {
    // Back at the form, its preview is looked at again.
    if (shown !== undefined && undoDeletion(`insight/${shown}`)) own.current = shown;
    return () => {
      const { current: id } = own;
      if (id === undefined || session.state.value === "signed-out") return;
      deleteLater({
        record: `insight/${id}`,
        text: words.newInsight.previewRemoved,
        send: (keepalive) => deleteInsight(id, keepalive),
      });
    };
  }, []);
  return own;
}

function platformsOf(infos: readonly PlatformInfo[]): Platform[] {
  return infos.map(({ platform }) => platform);
}

/** What a platform is asked does not depend on what people call the search. */
function withoutNames({ query }: ReturnType<typeof requestOf>): ReturnType<typeof requestOf> {
  return { query };
}

/** What a preview depends on. */
function previewed({ keywords, platforms, dimensions, location, follow }: Draft): object {
  return { keywords: keywords.trim(), platforms: [...(platforms ?? [])].sort(), dimensions, location, follow };
}

/** Whether the server refused what is typed; no connection and its like are no mistakes of the reader. */
function isRefused(error: unknown): boolean {
  const { status = 0 } = describeError(error);
  return status >= 400 && status < 429;
}

import { useId, useState } from "preact/hooks";
import { mistakesIn, type PlatformPlan } from "../../data/new-insight.js";
import type { PlatformInfo } from "../../data/settings.js";
import { Button, LinkButton } from "../../parts/button.js";
import { Check, TextArea } from "../../parts/field.js";
import { PlatformState } from "../../parts/platform-state.js";
import { words } from "../../words/new-insight.js";
import { quoted } from "../../words/quoted.js";
import { FOLLOWED, type FollowKind, type Platform } from "./draft.js";
import styles from "./new-insight.module.css";

/** Of a long list of queries or feeds, so many are shown at once. */
const ASKED_SHOWN = 3;

export interface PlatformRowsProps {
  readonly infos: readonly PlatformInfo[];
  readonly chosen: readonly Platform[];
  /** What each platform of the server would be asked. */
  readonly plans: readonly PlatformPlan[];
  /** The same of the chosen ones, with their warnings. */
  readonly ownPlans: readonly PlatformPlan[];
  readonly follow: Readonly<Record<FollowKind, string>>;
  readonly error: unknown;
  /** Whether there is anything to ask for. */
  readonly hasWords: boolean;
  readonly onChoose: (platforms: readonly Platform[]) => void;
  readonly onFollow: (kind: FollowKind, text: string) => void;
}

/** Where to search: what each platform is asked, what that costs, and what is missing for it. */
export function PlatformRows(props: PlatformRowsProps) {
  const w = words.newInsight;
  const id = useId();
  const { infos, chosen, plans, ownPlans, onChoose, error } = props;
  const [mistake] = mistakesIn(error, "query.platforms");
  return (
    <fieldset class={styles["platforms"]} aria-describedby={`${id}-mistake`}>
      <legend class={styles["legend"]}>{w.platforms}</legend>
      <div class={styles["mistake"]} id={`${id}-mistake`}>
        {mistake?.message}
      </div>
      {infos.length === 0 ? <p>{w.noPlatforms}</p> : null}
      <div class={styles["columns"]} aria-hidden="true">
        <span>{w.columns.platform}</span>
        <span>{w.columns.state}</span>
        <span>{w.columns.asks}</span>
        <span>{w.columns.cost}</span>
      </div>
      <ul>
        {infos.map((info) => {
          const isChosen = chosen.includes(info.platform);
          const of = ({ platform }: PlatformPlan): boolean => platform === info.platform;
          return (
            <PlatformRow
              key={info.platform}
              {...props}
              info={info}
              plan={(isChosen ? ownPlans.find(of) : undefined) ?? plans.find(of)}
              isChosen={isChosen}
              onCheck={(isChecked) =>
                onChoose(isChecked ? [...chosen, info.platform] : chosen.filter((other) => other !== info.platform))
              }
            />
          );
        })}
      </ul>
    </fieldset>
  );
}

interface PlatformRowProps extends PlatformRowsProps {
  readonly info: PlatformInfo;
  readonly plan: PlatformPlan | undefined;
  readonly isChosen: boolean;
  readonly onCheck: (isChecked: boolean) => void;
}

function PlatformRow({ info, plan, isChosen, onCheck, follow, onFollow, error, hasWords }: PlatformRowProps) {
  const w = words.newInsight;
  const { platform, state, missing } = info;
  const kind = FOLLOWED[platform];
  return (
    <li class={styles["row"]}>
      <div class={styles["check"]}>
        <Check label={words.labels.platform(platform)} checked={isChosen} onChange={onCheck} />
      </div>
      <div class={styles["state"]}>
        <PlatformState state={state} />
        {missing === null ? null : (
          <>
            <p class="small">{missing}</p>
            <LinkButton
              kind="plain"
              isSmall
              href={`/settings/platforms#${platform}`}
              label={w.setUpOf(words.labels.platform(platform))}
            >
              {w.setUp}
            </LinkButton>
          </>
        )}
      </div>
      <div>
        <span class={styles["cell-label"]}>{w.columns.asks}</span>
        {plan === undefined ? (
          <span class="muted">{hasWords ? w.asksCorrected : w.asksLater}</span>
        ) : (
          <Asked plan={plan} />
        )}
        {isChosen && kind !== undefined ? (
          <div class={styles["followed"]}>
            <Followed kind={kind} value={follow[kind]} error={error} onInput={(text) => onFollow(kind, text)} />
          </div>
        ) : null}
      </div>
      <div>
        <span class={styles["cell-label"]}>{w.columns.cost}</span>
        {plan === undefined || plan.cost === "" ? <span class="muted">–</span> : plan.cost}
      </div>
    </li>
  );
}

function Asked({ plan: { queries, narrowed_locally: isNarrowed, warnings } }: { readonly plan: PlatformPlan }) {
  const w = words.newInsight;
  const [isAll, setAll] = useState(false);
  const shown = isAll ? queries : queries.slice(0, ASKED_SHOWN);
  const more = queries.length - shown.length;
  return (
    <div class={styles["asked"]}>
      {queries.length === 0 ? <span class="muted">{w.nothingAsked}</span> : null}
      <ul>
        {shown.map((query) => (
          <li key={query}>
            <code dir="auto" title={query}>
              {query}
            </code>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <Button kind="plain" isSmall onClick={() => setAll(true)}>
          {w.andMore(more)}
        </Button>
      ) : null}
      {isNarrowed && queries.length > 0 ? <p class="muted small">{w.narrowed}</p> : null}
      {warnings.map((warning) => (
        <p key={warning} class={styles["warning"]}>
          {quoted(warning)}
        </p>
      ))}
    </div>
  );
}

interface FollowedProps {
  readonly kind: FollowKind;
  readonly value: string;
  readonly error: unknown;
  readonly onInput: (text: string) => void;
}

function Followed({ kind, value, error, onInput }: FollowedProps) {
  const w = words.newInsight;
  const [isOpen, setOpen] = useState(value !== "");
  const { add, label, help } = w.follow[kind];
  if (!isOpen) {
    return (
      <Button kind="plain" isSmall icon="plus" onClick={() => setOpen(true)}>
        {add}
      </Button>
    );
  }
  const mistakes = mistakesIn(error, `query.follow.${kind}`).map(({ field, message }) => {
    const at = /\[(\d+)\]/.exec(field)?.[1];
    return at === undefined ? message : w.lineOf(Number(at) + 1, message);
  });
  return (
    <TextArea
      label={label}
      help={help}
      rows={3}
      value={value}
      onInput={onInput}
      error={mistakes.length === 0 ? undefined : mistakes.join(" ")}
    />
  );
}

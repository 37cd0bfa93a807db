import { useEffect, useState } from "preact/hooks";
import { serverNow } from "../../data/clock.js";
import { countPostings, createExport, type NewExport } from "../../data/exports.js";
import { fieldError } from "../../data/failure.js";
import { answered, api } from "../../data/api.js";
import { addressOf, entriesOf } from "../../data/filters.js";
import { useOnce } from "../../data/idempotency.js";
import { nameOf, type Insight } from "../../data/insights.js";
import { dayOf, lastDays } from "../../data/periods.js";
import { useQuery } from "../../data/queries.js";
import { useServer } from "../../data/server.js";
import { Button, LinkButton } from "../../parts/button.js";
import { Chip, Chips } from "../../parts/chip.js";
import { Check, TextField } from "../../parts/field.js";
import { EmptyState, Load, Problem } from "../../parts/states.js";
import { toast } from "../../parts/toasts.js";
import { Form } from "../../parts/form.js";
import { words } from "../../words/exports.js";
import styles from "./exports.module.css";
import { exportOf, type ExportRange } from "./export-range.js";

/** How long after the last change the postings are counted. In milliseconds. */
const COUNT_AFTER_MS = 300;

export interface NewExportFormProps {
  /** Of the address: insights, days and filter that a screen has asked for. */
  readonly parameters: URLSearchParams;
  readonly onDone: () => void;
}

/** Begins an export of insights, days and a filter, and says beforehand what it will hold. */
export function NewExportForm({ parameters, onDone }: NewExportFormProps) {
  const insights = useQuery<readonly Insight[]>({
    queryKey: ["insights", "all"],
    queryFn: async ({ signal }) =>
      (await answered(api.GET("/api/v2/products/insight", { params: { query: { limit: 200 } }, signal }))).insights,
  });
  return (
    <Load query={insights} height="20rem">
      {(list) =>
        list.length === 0 ? (
          <EmptyState title={words.exports.noInsights}>
            <LinkButton href="/insights">{words.exports.toInsights}</LinkButton>
          </EmptyState>
        ) : (
          <ExportForm insights={list} parameters={parameters} onDone={onDone} />
        )
      }
    </Load>
  );
}

function ExportForm({ insights, parameters, onDone }: NewExportFormProps & { readonly insights: readonly Insight[] }) {
  const daysMax = useServer().data?.limits.export_range_days;
  const [range, setRange] = useState<ExportRange>(() => rangeOf(parameters, insights));
  const [failure, setFailure] = useState<unknown>();
  const { wanted, problem } = exportOf(range, parameters, daysMax);
  const once = useOnce();
  const submit = async (): Promise<void> => {
    if (wanted === undefined) return;
    setFailure(undefined);
    try {
      await once(wanted, (key) => createExport(wanted, key));
      toast(words.exports.started);
      onDone();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Form class={styles["form"]} label={words.exports.create} onSubmit={submit}>
      <p class="muted">{words.exports.intro}</p>
      <fieldset>
        <legend>{words.exports.insights}</legend>
        <div class={styles["insights"]}>
          {insights.map((insight) => (
            <Check
              key={insight.id}
              label={nameOf(insight)}
              checked={range.insights.includes(insight.id)}
              onChange={(isChosen) =>
                setRange({
                  ...range,
                  insights: isChosen
                    ? [...range.insights, insight.id]
                    : range.insights.filter((id) => id !== insight.id),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <div class={styles["days"]}>
        <TextField
          label={words.exports.from}
          type="date"
          value={range.from}
          onInput={(from) => setRange({ ...range, from })}
          error={fieldError(failure, "start_date")}
        />
        <TextField
          label={words.exports.to}
          type="date"
          value={range.to}
          onInput={(to) => setRange({ ...range, to })}
          error={fieldError(failure, "end_date")}
        />
      </div>
      <Filters parameters={parameters} />
      <p role="status">{problem ?? <WillHold wanted={wanted} />}</p>
      {failure === undefined ? null : <Problem error={failure} />}
      <div class={styles["row"]}>
        <Button
          type="submit"
          kind="primary"
          disabled={wanted === undefined}
          {...(problem === undefined ? {} : { reason: problem })}
        >
          {words.exports.creating}
        </Button>
        <Button onClick={onDone}>{words.frame.cancel}</Button>
      </div>
    </Form>
  );
}

function Filters({ parameters }: { readonly parameters: URLSearchParams }) {
  const entries = entriesOf(parameters).filter(({ isKnown }) => isKnown);
  if (entries.length === 0) return <p class="muted">{words.exports.noFilter}</p>;
  return (
    <div>
      <p>{words.exports.filter}</p>
      <Chips>
        {entries.map(({ name, value, without }) => (
          <Chip
            key={name + value}
            removeHref={addressOf("/exports", without)}
            removeLabel={words.exports.removeFilter(words.exports.filterOf(name, [value]))}
          >
            {words.exports.filterOf(name, [value])}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

function WillHold({ wanted }: { readonly wanted: NewExport | undefined }) {
  const [counted, setCounted] = useState<{ readonly total: number; readonly isExact: boolean }>();
  const asked = JSON.stringify(wanted);
  useEffect(() => {
    setCounted(undefined);
    if (wanted === undefined) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      countPostings(wanted).then(
        (result) => {
          if (isCurrent) setCounted(result);
        },
        () => undefined, // the export itself says what is wrong
      );
    }, COUNT_AFTER_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asked]);
  if (counted === undefined) return <span class="muted">{words.exports.counting}</span>;
  return <strong>{words.exports.willHold(counted.total, counted.isExact)}</strong>;
}

function rangeOf(parameters: URLSearchParams, insights: readonly Insight[]): ExportRange {
  const known = new Set(insights.map(({ id }) => id));
  const named = (parameters.get("insight") ?? "")
    .split(",")
    .map(Number)
    .filter((id) => known.has(id));
  const only = insights.length === 1 ? insights.map(({ id }) => id) : [];
  const usual = lastDays(30, serverNow());
  return {
    insights: named.length > 0 ? named : only,
    from: dayIn(parameters.get("from")) ?? usual.from,
    to: dayIn(parameters.get("to")) ?? usual.to,
  };
}

/** The day of an end of a period in an address, which may be an hour, or no date at all. */
function dayIn(edge: string | null): string | undefined {
  const at = Date.parse((edge ?? "").slice(0, 10));
  return Number.isNaN(at) ? undefined : dayOf(at);
}

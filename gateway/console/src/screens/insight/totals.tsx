import { addressOf, readFilters, withSingle } from "../../data/filters.js";
import { countOf } from "../../data/overview.js";
import type { Hidden, Summary } from "../../data/summary.js";
import { Button } from "../../parts/button.js";
import { useAddress } from "../../parts/navigation.js";
import { words } from "../../words/overview.js";
import styles from "./overview.module.css";
import type { Links } from "./view.js";

export interface TotalsProps {
  readonly summary: Summary;
  readonly hidden: Hidden | undefined;
  readonly links: Links;
  readonly updated: string;
  readonly newer: number;
  readonly onUpdate: () => void;
}

const POLARITIES = ["negative", "neutral", "positive"] as const;

/** The sentence of totals: every number of it opens its postings, and what is hidden stands beside it. */
export function Totals({ summary, hidden, links, updated, newer, onUpdate }: TotalsProps) {
  const { path, parameters } = useAddress();
  const { overview, labels } = words;
  const { totals, top, counted } = summary;
  const rated = POLARITIES.reduce((sum, polarity) => sum + countOf(totals.polarities, polarity), 0);
  const unsure = countOf(totals.sentiments, null);
  const spam = countOf(totals.spam, "spam");
  const isSpamChosen = readFilters(parameters).spam !== undefined;
  return (
    <section class={styles["totals"]} aria-label={overview.totals}>
      <p class={styles["sentence"]}>
        <a href={links.postings()}>
          <strong>{overview.postings(totals.postings)}</strong>
        </a>
        <span>{overview.authors(top.authors.distinct, top.authors.distinct_error === 0)}</span>
        <span>
          {POLARITIES.map((polarity, at) => (
            <span key={polarity}>
              {at === 0 ? "" : ", "}
              <a href={links.postings({ name: "polarity", value: polarity })}>
                <span aria-hidden="true">{labels.polaritySign(polarity)} </span>
                {overview.polarity(
                  rated === 0 ? 0 : countOf(totals.polarities, polarity) / rated,
                  labels.polarity(polarity),
                )}
              </a>
            </span>
          ))}
        </span>
        {unsure === 0 ? null : (
          <a href={links.postings({ name: "emotion", value: "none" })} title={overview.unsureHelp}>
            {overview.unsure(unsure)}
          </a>
        )}
        {spam === 0 || isSpamChosen ? null : (
          <span>
            <a href={addressOf(`${path}/postings`, withSingle(parameters, "spam", "only"))}>{overview.spam(spam)}</a> (
            <a href={addressOf(path, withSingle(parameters, "spam", "hide"))}>{overview.hideSpam}</a>)
          </span>
        )}
      </p>
      <p class={styles["notes"]}>
        {hidden === undefined ? null : <span>{overview.ofAll(totals.postings, hidden.all)}</span>}
        {hidden?.spam === undefined || hidden.spam === 0 ? null : (
          <a href={addressOf(`${path}/postings`, withSingle(parameters, "spam", "only"))}>
            {overview.hiddenSpam(hidden.spam, hidden.isSpamExact)}
          </a>
        )}
        {counted ? <span>{overview.counted}</span> : null}
        <span class={styles["updated"]}>{updated}</span>
        <span role="status">
          {newer === 0 ? null : (
            <Button isSmall onClick={onUpdate}>
              {overview.newer(newer)}
            </Button>
          )}
        </span>
      </p>
    </section>
  );
}

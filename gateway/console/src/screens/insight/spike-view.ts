import type { ListFilter } from "../../data/filters.js";
import { periodOfSteps, type Interval } from "../../data/periods.js";
import type { Spike } from "../../data/summary.js";
import { number, share } from "../../words/numbers.js";
import { words } from "../../words/overview.js";
import { stepName, type Links } from "./view.js";

/** Spikes are judged by hours or by days, whatever the steps are. */
export function unitOf(interval: Interval): "hour" | "day" {
  return interval === "hour" ? "hour" : "day";
}

/** How much there was, and how much is usual. */
export function headOf(spike: Spike, interval: Interval): string {
  const { overview } = words;
  const { metric, seen, expected } = spike;
  const at = stepName(spike, unitOf(interval));
  return metric === "postings"
    ? overview.spike(at, overview.postings(seen), number(expected))
    : overview.spike(at, overview.negativeSeen(seen), share(expected));
}

/** Where the postings of a spike are, or those of them with a value. */
export function postingsOf(
  spike: Spike,
  links: Links,
  narrowing: { readonly name?: ListFilter; readonly value?: string } = {},
): string {
  const { platform, metric } = spike;
  const period = periodOfSteps(spike, spike);
  if (narrowing.name !== undefined) return links.postings({ ...narrowing, period });
  if (platform !== null) return links.postings({ name: "platform", value: platform, period });
  return metric === "negative_share"
    ? links.postings({ name: "polarity", value: "negative", period })
    : links.postings({ period });
}

/** How many postings the link of a spike shows; of a share, those that were looked at. */
export function postingsIn({ metric, seen, examined }: Spike): number {
  return metric === "postings" ? seen : examined;
}

import { IN_FULL } from "@hourglass/runtime/testing";
import type { Topology } from "../../support/deployment.js";

/** The topologies in which a crash loop runs: in full both, the usual one first. */
export function topologies(usual: Topology): readonly Topology[] {
  const other = usual === "processes" ? "one-process" : "processes";
  return IN_FULL ? [usual, other] : [usual];
}

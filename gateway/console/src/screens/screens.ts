import type { AnyComponent } from "preact";
import { words } from "../words/words.js";
import { loadedLater } from "./loaded-later.js";

interface ScreenAt {
  /** Pattern of its address. */
  readonly path: string;
  readonly component: AnyComponent;
}

/** The screens, each loaded when it is opened. */
export const SCREENS: readonly ScreenAt[] = [
  { path: "/", component: loadedLater(() => import("./home/home.js").then(({ Home }) => Home)) },
  {
    path: "/insights",
    component: loadedLater(() => import("./insights/insights.js").then(({ Insights }) => Insights)),
  },
  {
    path: "/insights/new",
    component: loadedLater(() =>
      import("./new-insight/new-insight.js").then(({ NewInsightScreen }) => NewInsightScreen),
    ),
  },
  {
    path: "/insights/:id",
    component: loadedLater(() => import("./insight/overview.js").then(({ Overview }) => Overview)),
  },
  {
    path: "/insights/:id/postings",
    component: loadedLater(() => import("./postings/postings.js").then(({ PostingsScreen }) => PostingsScreen)),
  },
  {
    path: "/insights/:id/collection",
    component: loadedLater(() => import("./collection/collection.js").then(({ CollectionScreen }) => CollectionScreen)),
  },
  { path: "/exports", component: loadedLater(() => import("./exports/exports.js").then(({ Exports }) => Exports)) },
  {
    path: "/settings/:tab",
    component: loadedLater(() => import("./settings/settings.js").then(({ Settings }) => Settings)),
  },
  {
    path: "/analyses",
    component: loadedLater(() => import("./analyses/analyses.js").then(({ Analyses }) => Analyses)),
  },
  {
    path: "/analyses/new",
    component: loadedLater(() => import("./new-analysis/new-analysis.js").then(({ NewAnalysis }) => NewAnalysis)),
  },
  {
    path: "/analyses/:id",
    component: loadedLater(() => import("./analysis/analysis.js").then(({ AnalysisResult }) => AnalysisResult)),
  },
];

interface PlaceToGo {
  readonly href: string;
  readonly keys: string;
  readonly label: () => string;
}

/** Where one can go from everywhere. */
export const PLACES: readonly PlaceToGo[] = [
  { href: "/", keys: "g h", label: () => words.frame.home },
  { href: "/insights", keys: "g i", label: () => words.frame.insights },
  { href: "/analyses", keys: "g a", label: () => words.frame.analyses },
  { href: "/exports", keys: "g e", label: () => words.frame.exports },
  { href: "/settings/account", keys: "g s", label: () => words.frame.settings },
];

import { AUTH_DATA } from "@hourglass/auth";
import { EXPORT_DATA } from "@hourglass/export";
import { insightData } from "@hourglass/insight";
import { MEDIA_DATA } from "@hourglass/media";
import { OPERATION_DATA } from "@hourglass/operation";
import type { DeclaredCollection, ServiceData } from "@hourglass/runtime";
import type { StandaloneConfig } from "./config.js";

/** What the services keep, in the order in which it is erased: exports and operations before the files they use. */
export function allData({ insight }: Pick<StandaloneConfig, "insight">): readonly ServiceData[] {
  return [EXPORT_DATA, insightData(insight.platforms), OPERATION_DATA, MEDIA_DATA, AUTH_DATA];
}

/** Whether none of its documents belongs to a company. */
export function isOfNobody({ belongs }: DeclaredCollection): boolean {
  return "because" in belongs;
}

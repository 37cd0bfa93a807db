import type { Caption } from "../../types.js";

/** The description of a stretch of a video. */
export interface DescribedScene {
  fromMs: number;
  /** Its length: milliseconds, or frames. */
  length: number;
  description: string;
  /** Whether there is a cut directly before it. */
  afterCut: boolean;
}

/** More would be an inventory; the longest are kept. */
const SCENES_MAX = 60;

/**
 * Describes a video: its length and its scenes. Consecutive scenes with the same description are merged, unless there
 * is a cut between them.
 */
export function captionOfScenes(scenes: readonly DescribedScene[], durationMs: number): Caption {
  const merged: DescribedScene[] = [];
  for (const scene of scenes) {
    const last = merged.at(-1);
    if (last?.description === scene.description && !scene.afterCut) last.length += scene.length;
    else merged.push({ ...scene });
  }
  return {
    duration: clockTime(durationMs),
    descriptions: longest(merged).map(({ fromMs, description }) => ({ timestamp: clockTime(fromMs), description })),
  };
}

/** In order of time. */
function longest(scenes: readonly DescribedScene[]): readonly DescribedScene[] {
  if (scenes.length <= SCENES_MAX) return scenes;
  const kept = new Set([...scenes].sort((a, b) => b.length - a.length).slice(0, SCENES_MAX));
  return scenes.filter((scene) => kept.has(scene));
}

/** HH:MM:SS, rounded down to whole seconds. */
function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

import type { Caption } from "../visual.js";

/** What a stretch of a video shows, in words. */
export interface DescribedScene {
  fromMs: number;
  /** How much of the video it is: milliseconds, or frames. */
  length: number;
  description: string;
  /** Whether the video was cut right before. */
  afterCut: boolean;
}

/** More would be an inventory: then the longest are kept. */
const SCENES_MAX = 60;

/** A video in words: how long it is, and what its scenes show. Neighbours that show the same are one, unless there is a cut between them. */
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

/** HH:MM:SS, whole seconds that have passed. */
function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

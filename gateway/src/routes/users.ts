import { ApiKeySchema } from "@hourglass/proto/auth/v1/api_key";
import {
  CreateCompanyUserRequestSchema,
  CreateCompanyUserResponseSchema,
  DeleteCompanyUserRequestSchema,
  DeleteCompanyUserResponseSchema,
  ListCompanyUsersRequestSchema,
  ListCompanyUsersResponseSchema,
  UpdateCompanyUserRequestSchema,
  UpdateCompanyUserResponseSchema,
  UserSchema,
  type CreateCompanyUserResponse,
  type UpdateCompanyUserResponse,
  type User,
} from "@hourglass/proto/auth/v1/auth_service";
import { AppError } from "@hourglass/runtime";
import { changedReply, creationReply, jsonReply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { aChange, aPage, aRecord, created, json, pageOf } from "./answers.js";
import { writerOf } from "./conversion.js";
import { messageOf } from "./input.js";
import { Role } from "./me.js";
import * as s from "./schema.js";

/** Path of the users of the company. */
const USERS = "/api/v2/users";

const USER = {
  id: s.recordId("Id of the user."),
  email: s.text(),
  first_name: s.text(),
  last_name: s.text(),
  role: Role,
  created_at: s.moment("When the user was made."),
};

const ACTIVE = s.boolean("Whether the user can sign in.");

const CompanyUser = s.response("CompanyUser", UserSchema, {
  ...USER,
  active: s.from(({ inactive }: User) => !inactive, ACTIVE),
});

/** What is no admin's business is left out for the others. */
const OneUser = s.response(
  "OneUser",
  UserSchema,
  {
    id: USER.id,
    first_name: USER.first_name,
    last_name: USER.last_name,
    email: s.optional(USER.email),
    role: s.optional(Role),
    created_at: s.optional(USER.created_at),
    active: s.from(({ email, inactive }: User) => (email === "" ? undefined : !inactive), s.optional(ACTIVE)),
  },
  "Admins, and users who ask for themselves, get all of it; everybody else of the company the id and the names.",
);

const EndedKey = s.response("EndedKey", ApiKeySchema, {
  id: s.recordId("Id that the API key had."),
  name: s.text(),
  prefix: s.text("Its first characters."),
});

const KEYS_ENDED = s.list(EndedKey, { description: "The API keys of the user, which ended." });

const ChangedUser = s.response("ChangedUser", UpdateCompanyUserResponseSchema, {
  ...ofUser(),
  active: s.from(({ user }: UpdateCompanyUserResponse) => user?.inactive !== true, ACTIVE),
  keys_ended: KEYS_ENDED,
});

const DeletedUser = s.response("DeletedUser", DeleteCompanyUserResponseSchema, { keys_ended: KEYS_ENDED });

/** The properties of a user in an answer that has more. */
function ofUser() {
  return Object.fromEntries(Object.entries(USER).map(([name, property]) => [name, s.from(`user.${name}`, property)]));
}

const CreatedUser = s.response("CreatedUser", CreateCompanyUserResponseSchema, {
  ...ofUser(),
  active: s.from(({ user }: CreateCompanyUserResponse) => user?.inactive !== true, ACTIVE),
  password: s.text(
    "The generated password. It is shown only here, and for a day to who repeats the request with its Idempotency-Key; the user changes it with `PUT /api/v2/me/password`.",
  ),
});

const NewUser = s.request(
  CreateCompanyUserRequestSchema,
  {
    email: s.text("Compared without case.", { format: "email" }),
    first_name: s.nullish(s.text()),
    last_name: s.nullish(s.text()),
    role: s.nullish(Role, "Absent: `member`."),
  },
  { id: "NewUser" },
);

const UserChange = s.request(
  UpdateCompanyUserRequestSchema,
  {
    email: s.nullish(s.text(undefined, { format: "email" })),
    first_name: s.nullish(s.text()),
    last_name: s.nullish(s.text()),
    role: s.nullish(Role),
    active: s.nullish(
      s.boolean("False ends the sessions and API keys of the user, who cannot sign in until it is true again."),
    ),
  },
  { id: "UserChange" },
);

const EXAMPLE = {
  id: 7,
  email: "bob@example.com",
  first_name: "Bob",
  last_name: "Lee",
  role: "member",
  created_at: "2026-01-31T12:00:00.000Z",
  active: true,
};

const KEEP_KEYS = s.optional(
  s.boolean("`true`: you take over the API keys of a user who leaves, and they do not end."),
);

const ENDED_EXAMPLE = [{ id: 3, name: "Dashboard", prefix: "hg_4TqZ9xWd" }];

const LAST_ADMIN = "The last admin of a company can be neither deleted, made inactive nor given another role (409).";

/** The users of the company, for its admins. */
export function userRoutes(auth: Clients["auth"]): Endpoint[] {
  const base = { tag: "Accounts", access: "any" } as const;
  const [writeOne, writeCreated] = [writerOf(OneUser), writerOf(CreatedUser)];
  const [writeChanged, writeDeleted] = [writerOf(ChangedUser), writerOf(DeletedUser)];
  return [
    route(`GET ${USERS}`, "listUsers", "List users", {
      ...base,
      ...aPage({
        desc: ListCompanyUsersRequestSchema,
        page: pageOf("UserPage", ListCompanyUsersResponseSchema, { users: s.list(CompanyUser) }),
        get: (request, options) => auth.listCompanyUsers(request, options),
        example: { users: [EXAMPLE], next_cursor: null },
      }),
      description: "For admins. Newest first.",
    }),
    route(`POST ${USERS}`, "createUser", "Create a user", {
      ...base,
      description: "For admins. The user gets a generated password, which only this answer contains.",
      input: messageOf(CreateCompanyUserRequestSchema, { body: NewUser, isKeyed: true }),
      example: { email: "bob@example.com", first_name: "Bob", last_name: "Lee", role: "member" },
      failures: [409],
      answers: {
        201: created("Created.", json(CreatedUser, { ...EXAMPLE, password: "k7m2p-x3q9d-fh5tz-w8rnc-e4jus-b6gva" })),
      },
      handle: async (context, request) => {
        const answer = await auth.createCompanyUser(request, context.options());
        const { id, replayed } = answer;
        return creationReply(201, writeCreated(answer), { replayed, location: `${USERS}/${id}` });
      },
    }),
    route(`GET ${USERS}/:id`, "getUser", "Read a user", {
      ...base,
      description: "For every user of the company: who somebody is that `created_by` names.",
      ...aRecord("The user.", json(OneUser, EXAMPLE)),
      handle: async (context) => {
        const { user } = await auth.getCompanyUser({ id: context.pathId }, context.options());
        if (user === undefined) throw new AppError("internal", "The user could not be read. Try again later.");
        return { ...jsonReply(200, writeOne(user)), revision: user.revision };
      },
    }),
    route(`PATCH ${USERS}/:id`, "updateUser", "Change a user", {
      ...base,
      description: `For admins. What is absent stays. The API keys of a user who becomes inactive end, and those of a user with a smaller role may no more than that role. ${LAST_ADMIN}`,
      input: messageOf(UpdateCompanyUserRequestSchema, {
        query: s.request(UpdateCompanyUserRequestSchema, { keep_keys: KEEP_KEYS }),
        body: UserChange,
        isConditional: true,
      }),
      example: { active: false },
      ...aChange(json(ChangedUser, { ...EXAMPLE, active: false, keys_ended: ENDED_EXAMPLE })),
      failures: [404, 409],
      handle: async (context, request) => {
        const changed = await auth.updateCompanyUser(request, context.options());
        return changedReply(writeChanged(changed), changed.user?.revision ?? "");
      },
    }),
    route(`DELETE ${USERS}/:id`, "deleteUser", "Delete a user", {
      ...base,
      description: `For admins. What the user has made stays with the company; their API keys end. ${LAST_ADMIN}`,
      input: messageOf(DeleteCompanyUserRequestSchema, {
        query: s.request(DeleteCompanyUserRequestSchema, { keep_keys: KEEP_KEYS }),
        isConditional: true,
      }),
      ...aRecord("The user is gone.", json(DeletedUser, { keys_ended: ENDED_EXAMPLE })),
      failures: [404, 409],
      handle: async (context, request) =>
        jsonReply(200, writeDeleted(await auth.deleteCompanyUser(request, context.options()))),
    }),
  ];
}

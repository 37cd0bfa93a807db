import {
  CreateCompanyUserRequestSchema,
  CreateCompanyUserResponseSchema,
  ListCompanyUsersRequestSchema,
  ListCompanyUsersResponseSchema,
  UpdateCompanyUserRequestSchema,
  UserSchema,
  type CreateCompanyUserResponse,
  type User,
} from "@hourglass/proto/auth/v1/auth_service";
import { AppError } from "@hourglass/runtime";
import { jsonReply } from "../http/reply.js";
import { route, type Endpoint } from "../http/route.js";
import type { Clients } from "../services.js";
import { aDeletion, aPage, aRecord, created, json, pageOf } from "./answers.js";
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

const CreatedUser = s.response("CreatedUser", CreateCompanyUserResponseSchema, {
  ...Object.fromEntries(Object.entries(USER).map(([name, property]) => [name, s.from(`user.${name}`, property)])),
  active: s.from(({ user }: CreateCompanyUserResponse) => user?.inactive !== true, ACTIVE),
  password: s.text(
    "The generated password. It is shown only here; the user changes it with `PUT /api/v2/me/password`.",
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
    active: s.nullish(s.boolean("False ends the sessions of the user, who cannot sign in until it is true again.")),
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

const LAST_ADMIN = "The last admin of a company can be neither deleted, made inactive nor given another role (409).";

/** The users of the company, for its admins. */
export function userRoutes(auth: Clients["auth"]): Endpoint[] {
  const base = { tag: "Accounts", access: "any" } as const;
  const [writeUser, writeCreated] = [writerOf(CompanyUser), writerOf(CreatedUser)];
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
      input: messageOf(CreateCompanyUserRequestSchema, { body: NewUser }),
      example: { email: "bob@example.com", first_name: "Bob", last_name: "Lee", role: "member" },
      answers: {
        201: created("Created.", json(CreatedUser, { ...EXAMPLE, password: "k7m2p-x3q9d-fh5tz-w8rnc-e4jus-b6gva" })),
      },
      handle: async (context, request) => {
        const answer = await auth.createCompanyUser(request, context.options());
        return jsonReply(201, writeCreated(answer), ["Location", `${USERS}/${answer.id}`]);
      },
    }),
    route(`PATCH ${USERS}/:id`, "updateUser", "Change a user", {
      ...base,
      description: `For admins. What is absent stays. ${LAST_ADMIN}`,
      input: messageOf(UpdateCompanyUserRequestSchema, { body: UserChange }),
      example: { role: "viewer" },
      ...aRecord("The user.", json(CompanyUser, { ...EXAMPLE, role: "viewer" })),
      failures: [404, 409],
      handle: async (context, request) => {
        const { user } = await auth.updateCompanyUser(request, context.options());
        if (user === undefined) throw new AppError("internal", "The user could not be read. Try again later.");
        return jsonReply(200, writeUser(user));
      },
    }),
    route(`DELETE ${USERS}/:id`, "deleteUser", "Delete a user", {
      ...base,
      description: `For admins. What the user has made stays with the company, API keys too. ${LAST_ADMIN}`,
      ...aDeletion((user, options) => auth.deleteCompanyUser(user, options)),
      failures: [404, 409],
    }),
  ];
}

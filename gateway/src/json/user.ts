import type { MessageInitShape } from "@bufbuild/protobuf";
import { SignInRequestSchema, type User } from "@hourglass/proto/auth/v1/auth_service";
import { object, ObjectReader, string, type Violations } from "@hourglass/runtime/json";
import { accepted } from "./field-errors.js";

const credentials = object((user) => ({
  email: user.required("email", string) ?? "",
  password: user.required("password", string) ?? "",
}));

/** Reads the request body of a sign-in. */
export function toSignInRequest(
  body: Record<string, unknown>,
  clientAddress: string,
): MessageInitShape<typeof SignInRequestSchema> {
  const violations: Violations = [];
  const user = new ObjectReader(body, "", violations).required("user", credentials);
  return accepted(SignInRequestSchema, { ...(user === undefined ? {} : { user }), clientAddress }, violations);
}

/** The user object of the interface. */
export function fromUser({ id, email, firstName, lastName, company }: User): unknown {
  return {
    id: Number(id),
    email,
    first_name: firstName,
    last_name: lastName,
    company: company && {
      id: Number(company.id),
      name: company.name,
      products: company.products.map(({ uid, active }) => ({ uid, active })),
    },
  };
}

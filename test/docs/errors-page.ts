import { EXPLAINED_CODES, type ExplainedCode } from "@hourglass/runtime";

const RETRIES = { no: "no", wait: "after `Retry-After`", yes: "yes" } as const;

const BEGINNING = `# Errors

<!-- Generated from services/runtime/src/errors/error-codes.ts by \`npm run generate:errors\`. -->

Every failure of the REST interface has the same form:

\`\`\`json
{
  "error": "contents[3]: give at least one character.",
  "code": "invalid_request",
  "details": [{ "field": "contents[3]", "message": "Give at least one character." }],
  "request_id": "4bf2c0a5-6c3e-4b0f-9d3b-2f3f1f6f0a11"
}
\`\`\`

- \`error\` is a sentence for a person. It may change from release to release.
- \`code\` is for programs. It stays the same. The OpenAPI document lists all codes as \`ErrorCode\`.
- \`details\` names every wrong field, at most 200. It is absent if no field is wrong.
- \`request_id\` finds the request in the log of the server.

RPC clients find the code in \`google.rpc.ErrorInfo\`, in upper case ([rpc.md](rpc.md#errors)).

**Retry** says whether the same request can succeed later. After \`Retry-After\` means: wait as many seconds as that
header says. Repeat a creation only with an [idempotency key](pagination-idempotency-limits.md#idempotency).
`;

const END = `## Contents and platforms

A content that cannot be analyzed does not fail its operation. It has an \`error_code\` instead: see
[operations](operations.md#contents-that-fail). Trouble with a platform is in the state of the insight:
see [insights](insights.md#states).
`;

/** The text of docs/errors.md. */
export function errorsPage(): string {
  const sections = Object.entries(EXPLAINED_CODES).map(([group, codes]) => {
    const rows = Object.entries<ExplainedCode>(codes).map(
      ([code, { status, cause, remedy, retry }]) =>
        `| \`${code}\` | ${status} | ${cause} | ${remedy} | ${RETRIES[retry]} |`,
    );
    return [
      "",
      `## ${group}`,
      "",
      "| Code | Status | Cause | Remedy | Retry |",
      "| --- | --- | --- | --- | --- |",
      ...rows,
      "",
    ];
  });
  return `${BEGINNING}${sections.flat().join("\n")}\n${END}`;
}

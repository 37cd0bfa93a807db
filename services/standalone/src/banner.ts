/** Information for the person at the terminal once the server answers. */
export interface Started {
  /** For example `http://127.0.0.1:8080`. */
  url: string;
  /** The first user, if the password is known. */
  bootstrap: { email: string; password: string; generated: boolean; made: boolean } | undefined;
  /** E-mail of the configured first user. */
  email: string;
}

/** The address, the first user, and an example request to paste. */
export function banner({ url, bootstrap, email }: Started): string {
  return [
    "",
    `  Hourglass    ${url}`,
    `  Try it       ${url}/docs`,
    `  First user   ${email}`,
    `  Password     ${whichPassword(bootstrap, email)}`,
    "",
    "  A first request:",
    "",
    `  BASE=${url} PASSWORD=${passwordInShell(bootstrap)}`,
    `  TOKEN=$(curl -fsSi $BASE/api/v1/users/sign_in -H 'Content-Type: application/json' \\`,
    `    -d "{\\"user\\":{\\"email\\":\\"${email}\\",\\"password\\":\\"$PASSWORD\\"}}" \\`,
    `    | tr -d '\\r' | sed -n 's/^[Aa]uthorization: Bearer //p')`,
    `  ID=$(curl -fsS $BASE/api/v2/products/api/operations -H "Authorization: Bearer $TOKEN" \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"type":"text","analyses":["sentiment-simple","topic"],"contents":["I love the new museum in Lisbon!"]}' \\`,
    `    | node -p 'JSON.parse(fs.readFileSync(0)).id')`,
    `  curl -fsS "$BASE/api/v2/products/api/operations/$ID?wait=60" -H "Authorization: Bearer $TOKEN"`,
    "",
    "",
  ].join("\n");
}

function whichPassword(bootstrap: Started["bootstrap"], email: string): string {
  if (bootstrap === undefined) {
    return `the one chosen or shown at the first start; a new one: npm run -s admin -- user set-password --email ${email}`;
  }
  return bootstrap.generated ? `${bootstrap.password}   (shown once, keep it)` : "as in BOOTSTRAP_PASSWORD";
}

function passwordInShell(bootstrap: Started["bootstrap"]): string {
  if (bootstrap === undefined) return "'yours'";
  return bootstrap.generated ? `'${bootstrap.password}'` : '"$BOOTSTRAP_PASSWORD"';
}

/** What a person at the terminal is told once the server answers. */
export interface Started {
  /** Such as `http://127.0.0.1:8080`. */
  url: string;
  /** The first user, when this start made one. */
  bootstrap: { email: string; password: string; generated: boolean } | undefined;
  /** E-mail of the configured first user, for the example. */
  email: string;
}

/** The address, the first user, and a request to paste. */
export function banner({ url, bootstrap, email }: Started): string {
  const password = bootstrap?.generated === true ? bootstrap.password : "$BOOTSTRAP_PASSWORD";
  const user =
    bootstrap === undefined
      ? []
      : [
          `  First user   ${bootstrap.email}`,
          `  Password     ${bootstrap.generated ? `${bootstrap.password}   (shown once, keep it)` : "as in BOOTSTRAP_PASSWORD"}`,
        ];
  const signIn = JSON.stringify({ user: { email, password: "PASSWORD" } }).replace("PASSWORD", password);
  return [
    "",
    `  Hourglass    ${url}`,
    `  Try it       ${url}/docs`,
    ...user,
    "",
    "  A first request:",
    "",
    `  TOKEN=$(curl -si ${url}/api/v1/users/sign_in -H 'Content-Type: application/json' \\`,
    `    -d ${quote(signIn)} | tr -d '\\r' | sed -n 's/^[Aa]uthorization: //p')`,
    `  ID=$(curl -s ${url}/api/v2/products/api/operations -H "Authorization: $TOKEN" -H 'Content-Type: application/json' \\`,
    `    -d '{"type":"text","analyses":["sentiment-simple","topic"],"contents":["I love the new museum in Lisbon!"]}' | tr -dc 0-9)`,
    `  curl -s "${url}/api/v2/products/api/operations/$ID?wait=20" -H "Authorization: $TOKEN"`,
    "",
    "",
  ].join("\n");
}

/** Double quotes where the shell has to fill in a variable, single ones otherwise. */
function quote(text: string): string {
  return text.includes("$") ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

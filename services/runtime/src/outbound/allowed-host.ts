/**
 * Whether one of the patterns names the host. `media.example.com` is that host alone, `*.example.org` every host below
 * `example.org` but not that one. Letter case and a dot at the end do not matter.
 */
export function isAllowedHost(host: string, patterns: readonly string[]): boolean {
  const name = plain(host);
  return patterns.some((pattern) => {
    const wanted = plain(pattern);
    return wanted.startsWith("*.")
      ? name.length > wanted.length - 1 && name.endsWith(wanted.slice(1))
      : name === wanted;
  });
}

function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

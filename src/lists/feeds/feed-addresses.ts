/** The address as far as its path: credentials, query and fragment may hold secrets. A file has no origin. */
export function withoutSecrets(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/**
 * The addresses of the feeds of a source as the operator sees them, without secrets. Feeds that differ in the query string
 * only are numbered in the order of the registration.
 */
export function nameFeeds(addresses: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return addresses.map(withoutSecrets).map((address) => {
    const count = (seen.get(address) ?? 0) + 1;
    seen.set(address, count);
    return count === 1 ? address : `${address} (${count})`;
  });
}

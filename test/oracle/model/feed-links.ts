/** Resolves a link against the address of its feed; undefined if it is not an address of the web (decisions 4.32.2). */
export function resolveAgainst(link: string, address: string): string | undefined {
  const url = new URL(link, address);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

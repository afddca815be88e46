/** The received-by names of a Via field (RFC 9110, section 7.6.3), without protocol and comments. */
export function readVia(field: string | undefined): readonly string[] {
  const hops = (field ?? '').replace(/\([^()]*\)/g, '').split(',');
  return hops.map((hop) => hop.trim().split(/\s+/)[1] ?? '').filter((name) => name !== '');
}

/** A Via field that names these, in this order. */
export function writeVia(names: Iterable<string>): string {
  return [...names].map((name) => `1.1 ${name}`).join(', ');
}

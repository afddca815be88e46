/** A received-by name that is repeated to clients: a pseudonym or a host with its port, of no more than 64 characters. */
const NAME = /^[\w!#$%&'*+.^`|~:[\]-]{1,64}$/;

/** Names that one Via field is read for; a longer chain is a fault or an attack on our own headers. */
const MOST_NAMES = 32;

/** The received-by names of a Via field (RFC 9110, section 7.6.3), without protocol and comments. */
export function readVia(field: string | undefined): readonly string[] {
  const hops = (field ?? '').replace(/\([^()]*\)/g, '').split(',');
  return hops
    .map((hop) => hop.trim().split(/\s+/)[1] ?? '')
    .filter((name) => NAME.test(name))
    .slice(0, MOST_NAMES);
}

/** A Via field that names these, in this order. */
export function writeVia(names: Iterable<string>): string {
  return [...names].map((name) => `1.1 ${name}`).join(', ');
}

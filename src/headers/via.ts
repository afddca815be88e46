/** A pseudonym, or a host with an optional port, that is repeated to clients (decisions 5.22). */
const RECEIVED_BY_NAME = /^[\w!#$%&'*+.^`|~:[\]-]{1,64}$/;

/** With all other fields, the head of the response must stay within the limits of clients and proxies. */
const MAX_FIELD_LENGTH = 4 * 1024;

/** Read from one field: more than fit into a field that is written. */
const MAX_NAMES = 600;

/** Received-by names, without protocols and comments (RFC 9110, section 7.6.3). */
export function parseViaNames(field: string | undefined): readonly string[] {
  if (field === undefined) return [];
  // Before the field is split, because comments may contain commas.
  return field
    .replace(/\([^()]*\)/g, ' ')
    .split(',', MAX_NAMES)
    .map((member) => member.trim().split(/\s+/)[1] ?? '')
    .filter((name) => RECEIVED_BY_NAME.test(name));
}

/** In the given order. Beyond 4 KiB, the last names are kept. */
export function serializeVia(names: Iterable<string>): string {
  const members: string[] = [];
  let length = 0;
  for (const name of [...names].reverse()) {
    length += name.length + MEMBER_OVERHEAD;
    if (length > MAX_FIELD_LENGTH) break;
    members.push(`1.1 ${name}`);
  }
  return members.reverse().join(', ');
}

const MEMBER_OVERHEAD = '1.1 , '.length;

/** The gateways that a response of `own` came through, each once, and `own` last. */
export function mergeViaNames(below: Iterable<string>, own: string): readonly string[] {
  const names = new Set(below);
  names.delete(own);
  return [...names, own];
}

/**
 * The names that `own` reports for a source that it excludes because the source's responses name `own` (decisions
 * 5.23): a third gateway of the same ring has to find its own name too. The names before `own` are omitted, because the
 * source has them from `own`: otherwise gateways that exclude each other would repeat the name of a removed gateway
 * forever.
 */
export function listNamesAfter(own: string, names: readonly string[]): readonly string[] {
  return names.slice(names.lastIndexOf(own) + 1);
}

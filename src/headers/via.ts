/**
 * A received-by name that is repeated to clients: a pseudonym, or a host with an optional port, of at most 64
 * characters (decisions 5.22).
 */
const RECEIVED_BY_NAME = /^[\w!#$%&'*+.^`|~:[\]-]{1,64}$/;

/**
 * Maximum length of a field that is written. With all other fields, the head of the response must stay within the
 * limits of clients and proxies.
 */
const MAX_FIELD_LENGTH = 4 * 1024;

/** Maximum number of members read from one field: more than fit into a field that is written. */
const MAX_NAMES = 600;

/** The comment that names the gateways behind which a gateway is (decisions 5.22). */
const BEHIND_COMMENT = /^behind( \S+)+$/;

/** Parses the received-by names of a Via field (RFC 9110, section 7.6.3), without protocols and comments. */
export function parseViaNames(field: string | undefined): readonly string[] {
  return parseViaHops(field).map(hopName);
}

/**
 * Parses the gateways of a Via field into hops: `name`, or `name (behind one two)` for a gateway that is known only
 * through sources that are excluded as loops (`markHopsBehindSource`). The gateway after `behind` is the one nearest to
 * `name`.
 */
export function parseViaHops(field: string | undefined): readonly string[] {
  if (field === undefined) return [];
  // Comments are removed or unwrapped before the field is split, because they may contain commas.
  const plain = field.replace(/\(([^()]*)\)/g, (_comment, text: string) =>
    BEHIND_COMMENT.test(text) ? ` ${text} ` : ' ',
  );
  return plain
    .split(',', MAX_NAMES)
    .map((hop) => hop.trim().split(/\s+/))
    .flatMap(([, name = '', word, ...others]) => {
      const behind = word === 'behind' && others.every((other) => RECEIVED_BY_NAME.test(other)) ? others : [];
      return RECEIVED_BY_NAME.test(name) ? [serializeHop(name, behind)] : [];
    });
}

/** Serializes a Via field with the hops in this order. If they exceed 4 KiB, the last ones are kept. */
export function serializeVia(hops: Iterable<string>): string {
  const members: string[] = [];
  let length = 0;
  for (const hop of [...hops].reverse()) {
    length += hop.length + MEMBER_OVERHEAD;
    if (length > MAX_FIELD_LENGTH) break;
    members.push(`1.1 ${hop}`);
  }
  return members.reverse().join(', ');
}

/** Characters of a member besides its hop. */
const MEMBER_OVERHEAD = '1.1 , '.length;

/**
 * Returns the gateways that a response of `own` came through, and `own` last. A gateway that is named several times is
 * kept once, with the fewest gateways it is behind.
 */
export function mergeViaHops(below: Iterable<string>, own: string): readonly string[] {
  const hops = new Map<string, string>();
  for (const hop of below) {
    const known = hops.get(hopName(hop));
    if (known === undefined || listHopsBehind(hop).length < listHopsBehind(known).length) hops.set(hopName(hop), hop);
  }
  hops.delete(own);
  return [...hops.values(), own];
}

/**
 * Returns the hops that `own` reports for a source that it excludes because the source's responses name `own`
 * (decisions 5.23). They must be reported, because a third gateway of the same ring has to find its own name too. Each
 * hop is marked as behind that source. Hops that the source knows through `own` are omitted: otherwise gateways that
 * exclude each other would repeat the name of a removed gateway forever.
 */
export function markHopsBehindSource(hops: readonly string[], own: string): readonly string[] {
  const source = hopName(hops.at(-1) ?? '');
  return hops.flatMap((hop) => {
    const [name, behind] = [hopName(hop), listHopsBehind(hop)];
    if (name === own || behind.includes(own)) return [];
    return name === source || behind.includes(source) ? [hop] : [serializeHop(name, [...behind, source])];
  });
}

function hopName(hop: string): string {
  return hop.split(' ', 1)[0] ?? '';
}

function listHopsBehind(hop: string): readonly string[] {
  const [, others] = / \(behind (.*)\)$/.exec(hop) ?? [];
  return others?.split(' ') ?? [];
}

function serializeHop(name: string, behind: readonly string[]): string {
  return behind.length === 0 ? name : `${name} (behind ${behind.join(' ')})`;
}

/** A received-by name that is repeated to clients: a pseudonym or a host with its port, of no more than 64 characters. */
const RECEIVED_BY_NAME = /^[\w!#$%&'*+.^`|~:[\]-]{1,64}$/;

/** Characters of a field that is written: with all others, the head of an answer must fit into what clients and proxies read. */
const MAX_FIELD_LENGTH = 4 * 1024;

/** Names that one field is read for: more than fit into a field that is written. */
const MAX_NAMES = 600;

/** The comment that names the gateways behind which another one is. */
const BEHIND_COMMENT = /^behind( \S+)+$/;

/** The received-by names of a Via field (RFC 9110, section 7.6.3), without protocol and comments. */
export function parseViaNames(field: string | undefined): readonly string[] {
  return parseViaHops(field).map(hopName);
}

/**
 * The gateways of a Via field: names, and `name (behind one two)` for one that is known by way of others, each of which somebody leaves out
 * (`markHopsBehindSource`), the first one nearest to it.
 */
export function parseViaHops(field: string | undefined): readonly string[] {
  if (field === undefined) return [];
  // A comment may hold commas.
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

/** A Via field that names these, in this order; of more than fit into 4 KiB the last ones. */
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

/** Characters that a name takes in a field beside its own. */
const MEMBER_OVERHEAD = '1.1 , '.length;

/** The gateways that an answer of `own` came through: those below, each once and by the shortest way, then itself. */
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
 * What `own` tells of a source whose answers name it, and which it therefore leaves out: who is in a ring with both has to find its own name too. All that the
 * source tells of is told as behind that source, and what it knows by way of `own` is not told at all: else gateways that leave each other out would
 * remind each other for ever of one that has gone.
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

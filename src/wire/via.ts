/** A received-by name that is repeated to clients: a pseudonym or a host with its port, of no more than 64 characters. */
const NAME = /^[\w!#$%&'*+.^`|~:[\]-]{1,64}$/;

/** Characters of a field that is written: with all others, the head of an answer must fit into what clients and proxies read. */
const LONGEST = 4 * 1024;

/** Names that one field is read for: more than fit into a field that is written. */
const MOST_NAMES = 600;

/** The comment that names the gateways behind which another one is. */
const BEHIND = /^behind( \S+)+$/;

/** The received-by names of a Via field (RFC 9110, section 7.6.3), without protocol and comments. */
export function readVia(field: string | undefined): readonly string[] {
  return readHops(field).map(nameOf);
}

/**
 * The gateways of a Via field: names, and `name (behind one two)` for one that is known by way of others, each of which somebody leaves out
 * (`leftOut`), the first one nearest to it.
 */
export function readHops(field: string | undefined): readonly string[] {
  if (field === undefined) return [];
  // A comment may hold commas.
  const plain = field.replace(/\(([^()]*)\)/g, (_comment, text: string) => (BEHIND.test(text) ? ` ${text} ` : ' '));
  return plain
    .split(',', MOST_NAMES)
    .map((hop) => hop.trim().split(/\s+/))
    .flatMap(([, name = '', word, ...others]) => {
      const behind = word === 'behind' && others.every((other) => NAME.test(other)) ? others : [];
      return NAME.test(name) ? [written(name, behind)] : [];
    });
}

/** A Via field that names these, in this order; of more than fit into 4 KiB the last ones. */
export function writeVia(hops: Iterable<string>): string {
  const members: string[] = [];
  let length = 0;
  for (const hop of [...hops].reverse()) {
    length += hop.length + BESIDE;
    if (length > LONGEST) break;
    members.push(`1.1 ${hop}`);
  }
  return members.reverse().join(', ');
}

/** Characters that a name takes in a field beside its own. */
const BESIDE = '1.1 , '.length;

/** The gateways that an answer of `own` came through: those below, each once and by the shortest way, then itself. */
export function joinHops(below: Iterable<string>, own: string): readonly string[] {
  const hops = new Map<string, string>();
  for (const hop of below) {
    const known = hops.get(nameOf(hop));
    if (known === undefined || behindOf(hop).length < behindOf(known).length) hops.set(nameOf(hop), hop);
  }
  hops.delete(own);
  return [...hops.values(), own];
}

/**
 * What `own` tells of a source whose answers name it, and which it therefore leaves out: who is in a ring with both has to find its own name too. All that the
 * source tells of is told as behind that source, and what it knows by way of `own` is not told at all: else gateways that leave each other out would
 * remind each other for ever of one that has gone.
 */
export function leftOut(hops: readonly string[], own: string): readonly string[] {
  const source = nameOf(hops.at(-1) ?? '');
  return hops.flatMap((hop) => {
    const [name, behind] = [nameOf(hop), behindOf(hop)];
    if (name === own || behind.includes(own)) return [];
    return name === source || behind.includes(source) ? [hop] : [written(name, [...behind, source])];
  });
}

function nameOf(hop: string): string {
  return hop.split(' ', 1)[0] ?? '';
}

function behindOf(hop: string): readonly string[] {
  const [, others] = / \(behind (.*)\)$/.exec(hop) ?? [];
  return others?.split(' ') ?? [];
}

function written(name: string, behind: readonly string[]): string {
  return behind.length === 0 ? name : `${name} (behind ${behind.join(' ')})`;
}

/** Maximum length of a line without its end, in bytes of UTF-8 (RFC 6350, section 3.2). */
const MAX_LINE_BYTES = 75;

/** Number of lines of one piece. */
const LINES_PER_PIECE = 200;

/**
 * Yields a line of a vCard with its end, folded: continued lines begin with a space. No character is split.
 */
export function* foldLine(line: string): Generator<string, void, undefined> {
  let lines: string[] = [];
  let prefix = '';
  for (const part of splitByBytes(line)) {
    lines.push(`${prefix}${part}\r\n`);
    prefix = ' ';
    if (lines.length < LINES_PER_PIECE) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

/** Splits a text into parts that fit into a line; the later ones have room for the space before them. */
function* splitByBytes(text: string): Generator<string, void, undefined> {
  let room = MAX_LINE_BYTES;
  let from = 0;
  do {
    const to = findEnd(text, from, room);
    yield text.slice(from, to);
    from = to;
    room = MAX_LINE_BYTES - 1;
  } while (from < text.length);
}

/** The position after the last character that fits into the bytes. */
function findEnd(text: string, from: number, room: number): number {
  let bytes = 0;
  let at = from;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > room) return at;
    at += code < 0x10000 ? 1 : 2;
  }
  return at;
}

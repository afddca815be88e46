/** Without the line end, in UTF-8 (RFC 6350, section 3.2). */
const MAX_LINE_BYTES = 75;

/** In characters. */
const FLUSH_LENGTH = 16 * 1024;

/** A line of a vCard with its end, in pieces: continued lines begin with a space. No character is split. */
export function* foldLine(pieces: Iterable<string>): Generator<string, void, undefined> {
  let room = MAX_LINE_BYTES;
  let folded = '';
  for (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const part = measurePart(piece, from, room);
      folded += piece.slice(from, part.end);
      [from, room] = [part.end, room - part.bytes];
      if (from === piece.length) break;
      folded += '\r\n ';
      room = MAX_LINE_BYTES - 1;
      if (folded.length < FLUSH_LENGTH) continue;
      yield folded;
      folded = '';
    }
  }
  yield `${folded}\r\n`;
}

/** The longest part from a position on that fits into the bytes of UTF-8; `end` is behind its last character. */
function measurePart(text: string, from: number, room: number): { readonly end: number; readonly bytes: number } {
  let bytes = 0;
  let end = from;
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    const more = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes + more > room) break;
    bytes += more;
    end += code < 0x10000 ? 1 : 2;
  }
  return { end, bytes };
}

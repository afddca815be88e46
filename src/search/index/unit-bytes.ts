/**
 * The bytes of terms: each UTF-16 code unit as UTF-8 has characters below U+10000, in one to three bytes. Texts in this
 * form have the same order as their code units, and begin with each other as these do.
 */

export function countUnitBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unit >= 0x800 ? 2 : 1;
  }
  return bytes;
}

/** Returns the position behind the text. */
export function writeUnitBytes(text: string, bytes: Uint8Array, from: number): number {
  let to = from;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes[to] = unit;
    else if (unit < 0x800) {
      bytes[to] = 0xc0 | (unit >> 6);
      bytes[(to += 1)] = 0x80 | (unit & 0x3f);
    } else {
      bytes[to] = 0xe0 | (unit >> 12);
      bytes[(to += 1)] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[(to += 1)] = 0x80 | (unit & 0x3f);
    }
    to += 1;
  }
  return to;
}

export function toUnitBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(countUnitBytes(text));
  writeUnitBytes(text, bytes, 0);
  return bytes;
}

export function sizeOfUnit(first: number): number {
  if (first < 0x80) return 1;
  return first < 0xe0 ? 2 : 3;
}

export function readUnit(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return first;
  const second = (bytes[at + 1] ?? 0) & 0x3f;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  return ((first & 0x0f) << 12) | (second << 6) | ((bytes[at + 2] ?? 0) & 0x3f);
}

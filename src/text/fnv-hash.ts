/** FNV-1a with 32 bits. */
const BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a over UTF-16 code units, 32 bits. Who knows `basis` can make any number of texts with one hash. */
export function hashText(text: string, basis = BASIS): number {
  let hash = basis;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash;
}

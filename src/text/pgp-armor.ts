/** Kinds of armored data (RFC 9580, section 6.2.1). */
const ARMOR_KINDS = ['PUBLIC KEY BLOCK', 'PRIVATE KEY BLOCK', 'MESSAGE', 'SIGNATURE'] as const;

/** What an armor header may look like: a name, a colon, a value that may be empty. */
const HEADER = /^[a-z][a-z\d-]*:(?:[ \t].*)?$/i;

const DATA = /^[a-z\d+/]+={0,2}$/i;

/** The checksum of 24 bits behind the data (RFC 9580, section 6.1). */
const CHECKSUM = /^=[a-z\d+/]{4}$/i;

/**
 * Whether a text is nothing but OpenPGP armor (RFC 9580, section 6.2): one or more blocks with their headers, an empty line, Base64 data, an optional
 * checksum and the end line. The text is checked to its last line: `-----BEGIN PGP+cmd|…` begins like a block and is a formula to a spreadsheet.
 */
export function isPgpArmor(text: string): boolean {
  if (!text.startsWith('-----BEGIN PGP ')) return false;
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  let at = 0;
  while (at < lines.length) {
    const next = lines[at] === '' ? at + 1 : findBlockEnd(lines, at);
    if (next === undefined) return false;
    at = next;
  }
  return true;
}

/** The first and the last line of an armored public key. */
export const PUBLIC_KEY_BEGIN = '-----BEGIN PGP PUBLIC KEY BLOCK-----';
export const PUBLIC_KEY_END = '-----END PGP PUBLIC KEY BLOCK-----';

const PUBLIC_KEY = /^-----BEGIN PGP PUBLIC KEY BLOCK-----(.*)-----END PGP PUBLIC KEY BLOCK-----$/s;

/** Line breaks as programs write them that escape a text twice. */
const ESCAPED_BREAK = /\\r\\n|\\n/g;

/** Where a header begins that some program writes (RFC 9580, section 6.2.2). */
const KNOWN_HEADER = / (?=(?:Version|Comment|MessageID|Hash|Charset): )/;

/** Characters of a line of data at least, but for the last one: whatever is shorter may be a word of a header. */
const MIN_DATA_LINE_LENGTH = 32;

/**
 * The armor of a public key whose line breaks became spaces, or `\\n` in two characters; undefined where the text is armor already, or is none at all. Where
 * its headers end can only be guessed: whether it is a key has to be tried.
 */
export function repairPgpArmor(text: string): string | undefined {
  if (isPgpArmor(text)) return undefined;
  const unescaped = text.trim().replace(ESCAPED_BREAK, '\n');
  if (isPgpArmor(unescaped)) return unescaped;
  const words = PUBLIC_KEY.exec(unescaped)?.[1]?.trim().split(/\s+/) ?? [];
  const data = words.findIndex((word) => word.length >= MIN_DATA_LINE_LENGTH && DATA.test(word));
  if (data < 0) return undefined;
  const headers = words
    .slice(0, data)
    .join(' ')
    .split(KNOWN_HEADER)
    .filter((header) => header !== '');
  const lines = [...headers, '', ...words.slice(data)];
  const armor = [PUBLIC_KEY_BEGIN, ...lines, PUBLIC_KEY_END].join('\n');
  return isPgpArmor(armor) ? armor : undefined;
}

/** The line behind the block that begins at a line; undefined where there is no whole block. */
function findBlockEnd(lines: readonly string[], start: number): number | undefined {
  const kind = ARMOR_KINDS.find((one) => lines[start] === `-----BEGIN PGP ${one}-----`);
  const empty = skipMatchingLines(lines, start + 1, HEADER);
  if (kind === undefined || lines[empty] !== '') return undefined;
  const data = skipMatchingLines(lines, empty + 1, DATA);
  const end = CHECKSUM.test(lines[data] ?? '') ? data + 1 : data;
  return data > empty + 1 && lines[end] === `-----END PGP ${kind}-----` ? end + 1 : undefined;
}

function skipMatchingLines(lines: readonly string[], from: number, pattern: RegExp): number {
  let at = from;
  while (pattern.test(lines[at] ?? '')) at += 1;
  return at;
}

/** RFC 9580, section 6.2.1. */
const ARMOR_KINDS = ['PUBLIC KEY BLOCK', 'PRIVATE KEY BLOCK', 'MESSAGE', 'SIGNATURE'] as const;

/** Name, colon, and a value that may be empty (RFC 9580, section 6.2.2). */
const HEADER = /^[a-z][a-z\d-]*:(?:[ \t].*)?$/i;

const DATA = /^[a-z\d+/]+={0,2}$/i;

/** 24 bits after the data (RFC 9580, section 6.1). */
const CHECKSUM = /^=[a-z\d+/]{4}$/i;

/**
 * The text consists only of OpenPGP armor (RFC 9580, section 6.2): one or more blocks, each with its headers, an empty
 * line, Base64 data, an optional checksum and the end line. The check covers the complete text, because `-----BEGIN
 * PGP+cmd|…` begins like a block and is a formula to a spreadsheet (decisions 3.8).
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

export const PUBLIC_KEY_BEGIN = '-----BEGIN PGP PUBLIC KEY BLOCK-----';
export const PUBLIC_KEY_END = '-----END PGP PUBLIC KEY BLOCK-----';

/** In characters (decisions 4.24). A longer text, such as a key with thousands of signatures, is not read. */
export const MAX_KEY_TEXT_LENGTH = 256 * 1024;

/**
 * Blocks from first to last line. Other text is ignored, and so is a block that has no last line before the next one
 * begins. One expression for whole blocks takes quadratic time for many beginnings.
 */
export function findArmorBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let begin: number | undefined;
  for (const { 0: line, 1: kind, index } of text.matchAll(BLOCK_LINE)) {
    if (begin !== undefined && kind === 'END') blocks.push(text.slice(begin, index + line.length));
    begin = kind === 'END' ? undefined : index;
  }
  return blocks;
}

export function findPublicKeyBlocks(text: string): readonly string[] {
  return findArmorBlocks(text).filter((block) => block.startsWith(PUBLIC_KEY_BEGIN) && block.endsWith(PUBLIC_KEY_END));
}

const BLOCK_LINE = /-----(BEGIN|END) PGP [A-Z ]+-----/g;

/** Of blocks that begin in a text, complete or not. */
interface ArmorBlockCounts {
  readonly publicKeys: number;
  readonly secretKeys: number;
  /** Messages, signatures and anything else that begins like a block. */
  readonly others: number;
}

export function countArmorBlocks(text: string): ArmorBlockCounts {
  const publicKeys = countOccurrences(text, PUBLIC_KEY_BEGIN);
  const secretKeys = countOccurrences(text, '-----BEGIN PGP PRIVATE');
  return { publicKeys, secretKeys, others: countOccurrences(text, '-----BEGIN PGP') - publicKeys - secretKeys };
}

function countOccurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

const PUBLIC_KEY = /^-----BEGIN PGP PUBLIC KEY BLOCK-----(.*)-----END PGP PUBLIC KEY BLOCK-----$/s;

/** As a program writes that escaped the text twice. */
const ESCAPED_BREAK = /\\r\\n|\\n/g;

/** Headers that programs are known to write. */
const KNOWN_HEADER = / (?=(?:Version|Comment|MessageID|Hash|Charset): )/;

/** Except for the last line. A shorter word may belong to a header. */
const MIN_DATA_LINE_LENGTH = 32;

/**
 * Restores the armor of a public key whose line breaks became spaces, or `\n` in two characters. Undefined if the text
 * is valid armor already, or no armor. The end of the headers can only be guessed: the caller must check that the
 * result is a readable key.
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

/** The line after the block that begins at `start`; undefined if it is incomplete. */
function findBlockEnd(lines: readonly string[], start: number): number | undefined {
  const kind = ARMOR_KINDS.find((candidate) => lines[start] === `-----BEGIN PGP ${candidate}-----`);
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

/** A secret key of OpenPGP or another program begins or ends in the text, which must not be shown to anybody. */
export function hasSecretKey(text: string): boolean {
  return SECRET_KEY_LINE.test(text);
}

const SECRET_KEY_LINE = /-----(?:BEGIN|END)(?: [A-Z\d]+){0,4} (?:PRIVATE|SECRET) KEY/;

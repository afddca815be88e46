import { isAscii, isUtf8 } from 'node:buffer';
import { SourceFailure } from '../../client/source-failure.js';
import type { FindingSink } from '../../record/findings.js';
import { decodeMixedUtf8, decodeUnicode, decodeWindows1252 } from '../text-decoding.js';

/** Field of findings about the body as a whole. */
const DOCUMENT_FIELD = '(document)';

/**
 * Decodes the body of a feed (decisions 4.32.1). Counts what is not of the stated encoding in `findings`
 * (`mixed-encoding`). Throws a `SourceFailure` (`body`) for incomplete UTF-16.
 */
export function decodeFeed(body: Buffer, contentType: string | undefined, findings: FindingSink): string {
  return decodeUtf16(body) ?? decodeBytes(body, findStatedEncodings(body, contentType), findings);
}

const BYTE_ORDER_MARK = /^\ufeff/;

/** First characters of UTF-16 without a byte order mark: `<` or `{`, in either byte order. */
const UTF_16_BEGINNINGS: ReadonlyMap<string, string> = new Map([
  ['<\0', 'utf-16le'],
  ['{\0', 'utf-16le'],
  ['\0<', 'utf-16be'],
  ['\0{', 'utf-16be'],
]);

function decodeUtf16(body: Buffer): string | undefined {
  const beginning = body.toString('latin1', 0, 2);
  if (beginning === '\xff\xfe' || beginning === '\xfe\xff') return decodeUnicode(body);
  const encoding = UTF_16_BEGINNINGS.get(beginning);
  if (encoding === undefined) return undefined;
  const text = decodeStrictly(body, encoding);
  if (text === undefined) throw new SourceFailure('body', 'not UTF-16: an incomplete character');
  return text;
}

/** Length of the beginning in which the XML declaration is, in bytes. */
const MAX_DECLARATION = 512;

const DECLARED_ENCODING = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)/i;

/** The encodings that Content-Type and the XML declaration state, that of Content-Type first (RFC 7303, section 3.2). */
function findStatedEncodings(body: Buffer, contentType = ''): readonly string[] {
  const charset = CHARSET.exec(contentType)?.[1];
  const beginning = body.toString('latin1', 0, MAX_DECLARATION).replace(/^\xef\xbb\xbf/, '');
  const declared = DECLARED_ENCODING.exec(beginning)?.[1];
  return [charset, declared]
    .map((label) => (label === undefined ? undefined : findEncoding(label)))
    .filter((encoding) => encoding !== undefined);
}

/**
 * The name of an encoding by its label (WHATWG Encoding Standard). Undefined for an unknown one, and for UTF-16, of which
 * a declaration that can be read byte by byte is not.
 */
function findEncoding(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? undefined : encoding;
  } catch {
    return undefined;
  }
}

const UTF_8 = 'utf-8';

function decodeBytes(body: Buffer, [first = UTF_8, second = UTF_8]: readonly string[], findings: FindingSink): string {
  const other = first === UTF_8 ? second : first;
  if (isAscii(body)) return decodeStrictly(body, other) ?? body.toString('latin1');
  if (isUtf8(body)) {
    if (first !== UTF_8) findings.add(DOCUMENT_FIELD, 'mixed-encoding');
    return body.toString('utf8').replace(BYTE_ORDER_MARK, '');
  }
  if (other === UTF_8) return decodeMixed(body, findings);
  const text = decodeStrictly(body, other);
  if (text === undefined || other !== first) findings.add(DOCUMENT_FIELD, 'mixed-encoding');
  return text ?? new TextDecoder(other).decode(body);
}

function decodeMixed(body: Buffer, findings: FindingSink): string {
  const { text, otherBytes } = decodeMixedUtf8(body);
  for (let count = 0; count < otherBytes; count += 1) findings.add(DOCUMENT_FIELD, 'mixed-encoding');
  return text;
}

/** Undefined if the bytes are not of the encoding. */
function decodeStrictly(body: Buffer, encoding: string): string | undefined {
  if (encoding === 'windows-1252') return decodeWindows1252(body);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

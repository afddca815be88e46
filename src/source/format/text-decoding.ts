import { isUtf8 } from 'node:buffer';
import { SourceFailure } from '../client/source-failure.js';

/** Spreadsheets save "Unicode text" with them. */
const UTF_16_MARKS: readonly { readonly mark: Buffer; readonly encoding: string }[] = [
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
];

const MARK = /^\ufeff/;

/**
 * UTF-8, or UTF-16 with a byte order mark, which is removed; undefined for other bytes. Throws a `SourceFailure`
 * (`body`) for a body with UTF-16's mark that is not UTF-16.
 */
export function decodeUnicode(body: Buffer): string | undefined {
  if (findUtf16Mark(body) !== undefined) return decodeUtf16(body);
  return isUtf8(body) ? body.toString('utf8').replace(MARK, '') : undefined;
}

function findUtf16Mark(body: Buffer): string | undefined {
  return UTF_16_MARKS.find(({ mark }) => body.subarray(0, mark.length).equals(mark))?.encoding;
}

/** Little-endian without a mark. Throws a `SourceFailure` (`body`) if it is not UTF-16. */
export function decodeUtf16(body: Buffer): string {
  try {
    return new TextDecoder(findUtf16Mark(body) ?? 'utf-16le', { fatal: true }).decode(body);
  } catch (error) {
    throw new SourceFailure('body', 'not UTF-16: an incomplete character', { cause: error });
  }
}

/** From 0x80 on, where Latin-1 has none. The five undefined ones are left as they are. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** TextDecoder of Node.js 20 decodes it as Latin-1. */
export function decodeWindows1252(body: Buffer): string {
  return body
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? '');
}

/** Beyond ASCII (RFC 3629, section 4), in bytes read as Latin-1. */
const UTF_8_RUNS =
  /(?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+|[\x80-\xff]/g;

interface MixedText {
  readonly text: string;
  /** Beyond ASCII. */
  readonly utf8Characters: number;
  /** Not UTF-8, each read as Windows-1252. */
  readonly otherBytes: number;
}

/** Reads bytes outside UTF-8 as Windows-1252. Removes a byte order mark. */
export function decodeMixedUtf8(body: Buffer): MixedText {
  let utf8Characters = 0;
  let otherBytes = 0;
  const text = body.toString('latin1').replace(UTF_8_RUNS, (run) => {
    if (run.length === 1) {
      otherBytes += 1;
      return WINDOWS_1252[run.charCodeAt(0) - 0x80] ?? run;
    }
    const characters = Buffer.from(run, 'latin1').toString('utf8');
    utf8Characters += characters.length;
    return characters;
  });
  return { text: text.replace(MARK, ''), utf8Characters, otherBytes };
}

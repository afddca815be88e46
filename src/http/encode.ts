import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptableCodings } from './negotiate.js';

/** How an answer's bytes are coded; `identity` is as they are. */
export type Coding = 'br' | 'gzip' | 'identity';

/** Between equal weights the smaller result goes first. */
const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity'];

/** Bytes below which coding is not worth its while (decisions.md, section 3). */
export const SMALLEST = 1024;

/**
 * The coding that an Accept-Encoding field asks for, by its weights. What is not `worthwhile` (short, or dense already) goes out as it
 * is unless that is refused. Where nothing is acceptable, too: RFC 9110, section 12.5.3, leaves it to the server.
 */
export function chooseCoding(field: string | undefined, worthwhile: boolean): Coding {
  if (field === undefined) return 'identity';
  const accepted = acceptableCodings(field, CODINGS);
  if (!worthwhile && accepted.includes('identity')) return 'identity';
  return accepted[0] ?? 'identity';
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Bytes of output at a time: fewer turns between the threads than with zlib's 16 KiB. */
const CHUNK = 64 * 1024;

/** Codes bytes, off the event loop: gzip at level 6, br at quality 5. Equal bytes give equal bytes. */
export async function encode(bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
  switch (coding) {
    case 'identity':
      return bytes;
    case 'gzip':
      return zip(bytes, { level: 6, chunkSize: CHUNK });
    case 'br':
      return brotli(bytes, {
        chunkSize: CHUNK,
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      });
  }
}

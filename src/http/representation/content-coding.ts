import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiateCodings } from '../request/content-negotiation.js';

/** How an answer's bytes are coded; `identity` is as they are. */
export type ContentCoding = 'br' | 'gzip' | 'identity';

/** Between equal weights the smaller result goes first. */
const CONTENT_CODINGS: readonly ContentCoding[] = ['br', 'gzip', 'identity'];

/** Bytes below which coding is not worth its while (decisions.md, section 3). */
export const MIN_ENCODED_BYTES = 1024;

/**
 * The coding that an Accept-Encoding field asks for, by its weights. What is not `worthwhile` (short, or dense already) goes out as it
 * is unless that is refused. Where nothing is acceptable, too: RFC 9110, section 12.5.3, leaves it to the server.
 */
export function chooseContentCoding(field: string | undefined, worthwhile: boolean): ContentCoding {
  if (field === undefined) return 'identity';
  const accepted = negotiateCodings(field, CONTENT_CODINGS);
  if (!worthwhile && accepted.includes('identity')) return 'identity';
  return accepted[0] ?? 'identity';
}

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Bytes of output at a time: fewer turns between the threads than with zlib's 16 KiB. */
const CHUNK_BYTES = 64 * 1024;

/** Codes bytes, off the event loop: gzip at level 6, br at quality 5. Equal bytes give equal bytes. */
export async function encodeContent(bytes: Uint8Array, coding: ContentCoding): Promise<Uint8Array> {
  switch (coding) {
    case 'identity':
      return bytes;
    case 'gzip':
      return gzipAsync(bytes, { level: 6, chunkSize: CHUNK_BYTES });
    case 'br':
      return brotliAsync(bytes, {
        chunkSize: CHUNK_BYTES,
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      });
  }
}

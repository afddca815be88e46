import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiateCodings } from '../request/content-negotiation.js';

/** `identity`: not encoded. */
export type ContentCoding = 'br' | 'gzip' | 'identity';

/** At equal weights, the coding with the smaller result is preferred (decisions 3.13). */
const CONTENT_CODINGS: readonly ContentCoding[] = ['br', 'gzip', 'identity'];

/** A shorter body is not compressed. */
export const MIN_ENCODED_BYTES = 1024;

/**
 * By the weights of an Accept-Encoding field. A body for which compression is not `worthwhile`, because it is short or
 * compressed already, is `identity` unless the client refuses that. So is a body where no coding is acceptable, which
 * RFC 9110, section 12.5.3, leaves to the server.
 */
export function chooseContentCoding(field: string | undefined, worthwhile: boolean): ContentCoding {
  if (field === undefined) return 'identity';
  const accepted = negotiateCodings(field, CONTENT_CODINGS);
  if (!worthwhile && accepted.includes('identity')) return 'identity';
  return accepted[0] ?? 'identity';
}

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Fewer switches between threads than with zlib's 16 KiB. */
const CHUNK_BYTES = 64 * 1024;

/** Off the event loop: gzip at level 6, br at quality 5. Equal bytes produce equal results. */
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

import { get } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** A response as received. */
export interface HttpExchange {
  readonly status: number;
  /** Alternating names and values as received, without the header fields that node:http adds itself. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Header fields that node:http adds itself. */
const ADDED_BY_NODE: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Sends a request on a new connection and reads the complete response. */
export async function exchange(url: string, headers: OutgoingHttpHeaders = {}): Promise<HttpExchange> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).once('error', reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return {
    status: response.statusCode ?? 0,
    headers: withoutAddedFields(response.rawHeaders),
    body: Buffer.concat(chunks),
  };
}

function withoutAddedFields(raw: readonly string[]): readonly string[] {
  return raw.filter((_, at) => !ADDED_BY_NODE.has((raw[at & ~1] ?? '').toLowerCase()));
}

/** Values of header fields that depend only on the time: ages and remaining lifetimes. */
const TIME_DEPENDENT = /((?:age|revalidate|ttl)=)\d+/g;

/** Throws unless both responses have the same status, header fields and bytes. Otherwise the comparison would be of different work. */
export function requireEqualResponses(first: HttpExchange, second: HttpExchange): void {
  const heads = [first, second].map(({ status, headers }) =>
    JSON.stringify([status, headers]).replace(TIME_DEPENDENT, '$1…'),
  );
  if (heads[0] !== heads[1]) throw new Error(`header fields differ:\n${heads.join('\n')}`);
  if (!first.body.equals(second.body)) throw new Error('bodies differ');
}

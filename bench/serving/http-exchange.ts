import { get } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** An answer as it came over the wire. */
export interface HttpExchange {
  readonly status: number;
  /** Names and values in turns, as they were written, without what node:http writes by itself. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Headers that node:http writes by itself, whoever answers. */
const OWN: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** One request, and all of its answer. */
export async function exchange(url: string, headers: OutgoingHttpHeaders = {}): Promise<HttpExchange> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).once('error', reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return { status: answer.statusCode ?? 0, headers: written(answer.rawHeaders), body: Buffer.concat(chunks) };
}

function written(raw: readonly string[]): readonly string[] {
  return raw.filter((_, at) => !OWN.has((raw[at & ~1] ?? '').toLowerCase()));
}

/** Numbers that grow or shrink with the time, and nothing else with them: how old a copy is, how long an answer may be kept. */
const TIMED = /((?:age|revalidate|ttl)=)\d+/g;

/** Throws unless both answers have the same status, headers and bytes: else what is compared is not the same work. */
export function requireEqualResponses(one: HttpExchange, other: HttpExchange): void {
  const heads = [one, other].map(({ status, headers }) => JSON.stringify([status, headers]).replace(TIMED, '$1…'));
  if (heads[0] !== heads[1]) throw new Error(`other headers:\n${heads.join('\n')}`);
  if (!one.body.equals(other.body)) throw new Error('other bytes');
}

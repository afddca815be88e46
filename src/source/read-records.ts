import type { Draft } from '../model/record.js';
import { inTurns } from '../model/slices.js';
import { Packer } from '../records/packed.js';
import type { JsonReply } from './fetch.js';
import { FindingCounter } from './findings.js';
import type { Findings } from './findings.js';
import { SourceFailure } from './failure.js';
import { readPage } from './dialect.js';
import type { Page } from './page.js';
import { AT_ONCE } from './parse-json.js';
import type { RecordReader } from './record-reader.js';

/** Turns' worth of work that a body parsed at once may take to be read: in the turn in which it was parsed, as long as that is young. */
const AT_LENGTH = 3;

/** Reads a reply as a page of the reader's records. Rejects where it is no page. */
export async function readRecords(reply: JsonReply, reader: RecordReader): Promise<Page<Draft>> {
  const { records: raw, ...facts } = readPage(reply);
  const counter = new FindingCounter();
  const packer = new Packer(reader.resource);
  await inTurns(
    raw,
    (record) => {
      const row = reader.read(record, counter);
      if (row !== undefined) packer.add(row);
    },
    reply.bytes <= AT_ONCE ? AT_LENGTH : 1,
  );
  const { findings } = counter;
  return {
    records: packer.records,
    received: raw.length,
    fingerprint: fingerprint(raw, reply.bytes),
    bytes: reply.bytes,
    findings,
    ...facts,
  };
}

/**
 * Throws where most of all that a source sent cannot be read as the resource: that is another interface, and no list with a few
 * odd records in it. Of one page that says nothing, for a last page may hold one record only.
 */
export function requireReadable(
  { findings, received }: Pick<Page<Draft>, 'findings' | 'received'>,
  path: string,
): void {
  const unread = unreadable(findings);
  if (unread > received / 2) throw new SourceFailure('schema', `${unread} of ${received} records are no ${path}`);
}

function unreadable(findings: Findings): number {
  return ['no-name', 'no-id', 'not-a-record'].reduce((sum, rule) => sum + (findings.get(`${rule} (record)`) ?? 0), 0);
}

/** The first, middle and last record stand for all: pages that overlap or repeat differ in them, and hashing all costs a parse. */
function fingerprint(raw: readonly unknown[], bytes: number): string {
  const sample = [...new Set([0, raw.length >> 1, raw.length - 1])].map((at) => raw[at]);
  try {
    return `${raw.length} ${JSON.stringify(sample, bytes > raw.length * LARGE ? shortened : undefined)}`;
  } catch {
    // Nested too deep for JSON.stringify: records like this are told apart by nothing.
    return `${raw.length} nested`;
  }
}

/** Bytes of a record from which on its texts are shortened before they are compared: megabytes take their time. */
const LARGE = 64 * 1024;

function shortened(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LARGE ? `${value.slice(0, LARGE)} ${value.length}` : value;
}

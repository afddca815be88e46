import type { Resource } from '../model/resource.js';
import type { JsonReply } from './fetch.js';
import { FindingCounter } from './findings.js';
import type { Findings } from './findings.js';
import { SourceFailure } from './failure.js';
import { readPage } from './dialect/directory.js';
import type { Page } from './page.js';
import { RecordReader } from './record-reader.js';
import type { Draft, Provenance } from './record-reader.js';

/** Reads a reply as a page of the resource's records. Rejects what is no page, and a page of which most cannot be read. */
export function readRecords(reply: JsonReply, resource: Resource, provenance: Provenance): Page<Draft> {
  const { records: raw, ...facts } = readPage(reply);
  const counter = new FindingCounter();
  const reader = new RecordReader(resource, provenance, (field, rule) => counter.add(field, rule));
  const records = raw.map((record) => reader.read(record)).filter((draft) => draft !== undefined);
  const { findings } = counter;
  if (unreadable(findings) > raw.length / 2) {
    throw new SourceFailure('schema', `${unreadable(findings)} of ${raw.length} records are no ${resource.path}`);
  }
  return { ...facts, records, received: raw.length, fingerprint: fingerprint(raw), bytes: reply.bytes, findings };
}

function unreadable(findings: Findings): number {
  return (findings.get('no-name (record)') ?? 0) + (findings.get('not-a-record (record)') ?? 0);
}

/** The first, middle and last record stand for all: pages that overlap or repeat differ in them, and hashing all costs a parse. */
function fingerprint(raw: readonly unknown[]): string {
  const sample = [raw[0], raw[raw.length >> 1], raw.at(-1)];
  try {
    return `${raw.length} ${JSON.stringify(sample)}`;
  } catch {
    // Nested too deep for JSON.stringify: records like this are told apart by nothing.
    return `${raw.length} nested`;
  }
}

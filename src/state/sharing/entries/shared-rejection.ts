import type { Outcome } from '../../../model/outcome.js';
import type { FailureDetail } from '../../../model/reasons.js';
import { isReasonOf } from '../../../model/reasons.js';
import type { DoubtedCount } from '../../../source/snapshot/shrink-guard.js';
import type { SharedRejection } from '../../../source/snapshot-sharing.js';
import { HeadReader } from '../../snapshots/head-reader.js';

/** When it may be fetched again is stored beside it. */
export type StoredRejection = Omit<SharedRejection, 'retryAt'>;

export function formatSharedRejection({ outcome, doubt }: StoredRejection): Buffer {
  return Buffer.from(JSON.stringify({ ...outcome, ...(doubt && { doubt: formatDoubt(doubt) }) }));
}

/** Throws where the text is damaged. */
export function parseSharedRejection(content: Buffer): StoredRejection {
  const reader = new HeadReader(JSON.parse(content.toString()));
  return { outcome: parseOutcome(reader), doubt: reader.optional('doubt', () => parseDoubt(reader.child('doubt'))) };
}

function parseOutcome(reader: HeadReader): Outcome<never> {
  const state = reader.text('state');
  const reason = reader.text('reason');
  const via = reader.optional('via', () => reader.list('via').map(String));
  const detail = reader.optional('detail', () => parseDetail(reader.child('detail')));
  const parts = { ...(via && { via }), ...(detail && { detail }) };
  const total = reader.optional('total', () => reader.number('total'));
  if (state === 'failed' && isReasonOf(state, reason)) return { state, reason, ...parts };
  if (state === 'suspended' && isReasonOf(state, reason)) return { state, reason, ...parts };
  if (state === 'partial' && isReasonOf(state, reason))
    return { state, reason, ...(via && { via }), ...(total !== undefined && { total }) };
  if (state === 'excluded' && isReasonOf(state, reason)) return { state, reason, ...(via && { via }) };
  throw new Error('the result is unknown');
}

function formatDoubt({ records, believedAt, doubted }: DoubtedCount): object {
  return { trusted: records, trustedAt: believedAt, records: doubted.records, since: doubted.since };
}

function parseDoubt(reader: HeadReader): DoubtedCount {
  const records = reader.number('records');
  return {
    records: reader.number('trusted'),
    believedAt: reader.number('trustedAt'),
    doubted: { records, since: reader.number('since'), nothing: records === 0 },
  };
}

function parseDetail(reader: HeadReader): FailureDetail {
  const status = reader.optional('status', () => reader.number('status'));
  const missing = reader.optional('missing', () => reader.child('missing'));
  return {
    ...(status !== undefined && { status }),
    ...(missing && {
      missing: {
        property: missing.text('property'),
        recordsWithout: missing.number('recordsWithout'),
        recordsReceived: missing.number('recordsReceived'),
      },
    }),
  };
}

import type { StoredRevision } from '../../../source/snapshot/history-store.js';
import { HeadReader } from '../../snapshots/head-reader.js';
import { formatHead, parseHead } from '../../snapshots/snapshot-head.js';
import type { SnapshotHead } from '../../snapshots/snapshot-head.js';

/** What is shared of a snapshot besides its records (operation 2.5.4). */
export interface SharedHead {
  readonly snapshot: SnapshotHead;
  /** The same for all instances. */
  readonly revision: StoredRevision;
  /** 0: none. */
  readonly replaces: number;
}

export function formatSharedHead({ snapshot, revision, replaces }: SharedHead): Buffer {
  const { since, floor, lastModified, newest, fingerprint } = revision;
  const known = { ...(lastModified > -Infinity && { lastModified }), ...(newest > -Infinity && { newest }) };
  const dates = { since, floor, ...known };
  const json = JSON.stringify({ ...dates, fingerprint, replaces, head: formatHead(snapshot) }, encodeInfinity);
  return Buffer.from(json);
}

function encodeInfinity(_key: string, value: unknown): unknown {
  return value === Infinity ? String(value) : value;
}

/** Throws where the head is damaged, or was written by another version of the program. */
export function parseSharedHead(content: Buffer): SharedHead {
  const reader = new HeadReader(JSON.parse(content.toString()));
  const snapshot = parseHead(reader.text('head'));
  if (snapshot === undefined) throw new Error('the entry has the format of another version');
  return {
    snapshot,
    revision: {
      since: reader.number('since'),
      floor: reader.optional('floor', () => reader.number('floor')),
      lastModified: reader.optional('lastModified', () => reader.number('lastModified')) ?? -Infinity,
      newest: reader.optional('newest', () => reader.number('newest')) ?? -Infinity,
      fingerprint: reader.text('fingerprint'),
    },
    replaces: reader.number('replaces'),
  };
}

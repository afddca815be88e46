import { areSameKey } from '../../identifiers/key-id.js';
import type { ReadableKey } from './key-judgement.js';
import type { KeyViews } from './key-views.js';

/** A key that one or several records of a team state or publish. */
export interface TeamKey {
  /** In capitals: a fingerprint, or a key id, which several keys may have. */
  readonly digits: string;
  /** Places of these records among those of the page. */
  readonly records: readonly number[];
  /** Absent where no record publishes the key itself, or it cannot be read. */
  readonly read?: ReadableKey;
  /** Place of a record from which the key can be saved. */
  readonly publisher?: number;
}

/** In the order of the records. A subkey counts as its key; an id does only in a record that states the key too. */
export function listTeamKeys(views: readonly KeyViews[]): readonly TeamKey[] {
  const keys: TeamKey[] = [];
  const add = (key: TeamKey, isSame: (known: TeamKey) => boolean): void => {
    const at = keys.findIndex(isSame);
    const known = keys[at];
    if (known === undefined) keys.push(key);
    else keys[at] = { ...key, ...known, records: [...new Set([...known.records, ...key.records])] };
  };
  views.forEach(({ texts }, at) => {
    for (const { keys: read, unread } of texts) {
      const hasSecret = unread.secret > 0 || read.some(({ isSecret }) => isSecret);
      for (const one of read)
        add(
          { digits: one.fingerprint, records: [at], read: one, ...(!hasSecret && { publisher: at }) },
          ({ digits }) => digits === one.fingerprint,
        );
    }
  });
  views.forEach(({ otherFingerprints }, at) => {
    for (const one of otherFingerprints)
      add({ digits: one, records: [at] }, ({ digits, read }) => digits === one || read?.subkeys.includes(one) === true);
  });
  views.forEach(({ otherIds }, at) => {
    for (const id of otherIds)
      add(
        { digits: id, records: [at] },
        ({ digits, read, records }) =>
          digits === id ||
          (records.includes(at) && [digits, ...(read?.subkeys ?? [])].some((known) => areSameKey(known, id))),
      );
  });
  return keys.sort((a, b) => Math.min(...a.records) - Math.min(...b.records));
}

import { areSameKey, parseFingerprint, parseKeyId, splitKeyIds } from '../../identifiers/key-id.js';
import { compareWithStatedFingerprints, countUnreadBlocks } from './key-judgement.js';
import type { ReadableKey, UnreadBlocks } from './key-judgement.js';
import type { KeyFacts } from './key-reader-thread.js';
import { parseFingerprints } from '../record/enckeys-and-pgp-properties.js';

/** Of each kind. */
const MAX_ITEMS = 20;

/** Details by armored text. Keys that cannot be read are left out. Never rejects. */
export type ReadKeys = (texts: readonly string[]) => Promise<ReadonlyMap<string, KeyFacts>>;

export interface StatedKeys {
  /** `pgp-key`. */
  readonly keyTexts: readonly string[];
  /** Fingerprints that the source states beside the keys (`pgp-fingerprint`). */
  readonly stated: readonly string[];
  /** Fingerprints and key ids of the directory interface (`enckeys`). */
  readonly keyIds: readonly string[];
}

export interface KeyText {
  readonly text: string;
  /** Empty where the text cannot be read here, which does not prove that it is wrong. */
  readonly keys: readonly ReadableKey[];
  /** Blocks of the text that are not among `keys`. */
  readonly unread: UnreadBlocks;
}

export interface KeyViews {
  readonly texts: readonly KeyText[];
  /** Stated fingerprints that no readable key has, in capitals. */
  readonly otherFingerprints: readonly string[];
  /** Several keys may share a short id. */
  readonly otherIds: readonly string[];
  /** Among the key ids, such as the address of a key. */
  readonly otherTexts: readonly string[];
  /** The record has more. The page shows twenty of each kind. */
  readonly isCut: boolean;
}

/** Compares keys with the stated fingerprints. At most twenty of each kind are read. */
export async function readKeyViews(all: StatedKeys, readKeys: ReadKeys): Promise<KeyViews> {
  let isCut = false;
  const limit = <T>(items: readonly T[]): readonly T[] => {
    isCut ||= items.length > MAX_ITEMS;
    return items.slice(0, MAX_ITEMS);
  };
  const keyTexts = limit(all.keyTexts);
  const facts = keyTexts.length === 0 ? new Map<string, KeyFacts>() : await readKeys(keyTexts);
  const fingerprints = parseFingerprints(all.stated);
  const read = [...facts.values()].flatMap(({ primary, subkeys }) => [...primary, ...subkeys]);
  const keyIds = limit(all.keyIds.flatMap(splitKeyIds));
  const allIds = keyIds.flatMap((key) => parseKeyId(key)?.toUpperCase() ?? []);
  const allFingerprints = [...new Set([...fingerprints, ...parseFingerprints(allIds)])];
  const views = {
    texts: keyTexts.map((text) => ({
      text,
      keys: limit(compareWithStatedFingerprints(facts.get(text), fingerprints)),
      unread: countUnreadBlocks(text, facts.get(text)),
    })),
    otherFingerprints: limit(allFingerprints.filter((one) => !read.includes(one))),
    otherTexts: all.keyIds.slice(0, MAX_ITEMS).filter((text) =>
      splitKeyIds(text)
        .slice(0, MAX_ITEMS)
        .some((key) => parseKeyId(key) === undefined),
    ),
    otherIds: allIds.filter((id) => parseFingerprint(id) === undefined && !read.some((one) => areSameKey(one, id))),
  };
  return { ...views, isCut };
}

import { countArmorBlocks } from '../../text/repair-pgp-armor.js';
import type { KeyDetails, KeyFacts, KeyFingerprints } from './key-reader-thread.js';

export interface ReadableKey extends KeyDetails {
  readonly fingerprint: string;
  /** Whether the source states this fingerprint, or a subkey's. `unstated`: it states none at all. */
  readonly agreement: 'agrees' | 'differs' | 'unstated';
}

/** Decisions 4.24. */
export function compareWithStatedFingerprints(
  facts: KeyFacts | undefined,
  stated: readonly string[],
): readonly ReadableKey[] {
  const { primary = [], details = [] } = facts ?? {};
  return primary.flatMap((fingerprint, at) => {
    const known = details[at];
    if (known === undefined) return [];
    const isStated = [fingerprint, ...known.subkeys].some((one) => stated.includes(one));
    return [{ ...known, fingerprint, agreement: stated.length === 0 ? 'unstated' : isStated ? 'agrees' : 'differs' }];
  });
}

/**
 * `unverified`: no valid signature states whether the key expires, so programs refuse it or cannot know.
 * `not-yet-valid`: created in the future.
 */
type KeyValidity = 'valid' | 'not-yet-valid' | 'expired' | 'revoked' | 'unverified';

/** `now` is in milliseconds since 1970. */
export function judgeKeyValidity({ isRevoked, createdAt, expiresAt }: KeyDetails, now: number): KeyValidity {
  if (isRevoked) return 'revoked';
  if (expiresAt === 'unknown') return 'unverified';
  if (createdAt > now) return 'not-yet-valid';
  return expiresAt !== 'never' && expiresAt <= now ? 'expired' : 'valid';
}

/** Numbers of armored blocks from which no public key was read. */
export interface UnreadBlocks {
  readonly secret: number;
  /** Damaged, incomplete, or no keys. */
  readonly unreadable: number;
}

/** Counts blocks from which no public key was read (decisions 3.17). */
export function countUnreadBlocks(text: string, read: KeyFingerprints | undefined): UnreadBlocks {
  const { publicKeys, secretKeys, others } = countArmorBlocks(text);
  return { secret: secretKeys, unreadable: others + publicKeys - (read?.readBlocks ?? 0) };
}

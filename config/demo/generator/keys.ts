import keys from './keys.json' with { type: 'json' };

/**
 * An OpenPGP public key of a fictitious team. Its private key was deleted as soon as it was made: nobody can read what is
 * encrypted with it, or sign with it.
 */
interface TeamKey {
  /** The last six digits of the made-up fingerprint that this key replaces (contacts.ts). */
  readonly number: string;
  /** 40 hexadecimal digits, in capitals. */
  readonly fingerprint: string;
  /** Absent if no sample repository publishes the key itself. */
  readonly armored?: string | undefined;
}

const byNumber = new Map<string, TeamKey>(keys.map((key) => [key.number, key]));
const byFingerprint = new Map<string, TeamKey>(keys.map((key) => [key.fingerprint, key]));

/** The fingerprint of the key that replaces a made-up one, with `0x`. Throws if `keys.json` has no such key. */
export function replaceFingerprint(madeUp: string): string {
  return `0x${keyOf(byNumber, madeUp.slice(-6)).fingerprint}`;
}

/** The text that data sources publish as the key with this fingerprint, given without `0x`. Throws if there is none. */
export function publishedKey(fingerprint: string): string {
  const { number } = keyOf(byFingerprint, fingerprint);
  return faults[number]?.() ?? armoredOf(number);
}

/**
 * Keys that a keyring leaves out because their text is faulty. It also leaves out keys that are no longer valid: D605ED and
 * 25E064 expired in 2022, and 8A44B9 was revoked in 2025.
 */
const faults: Readonly<Record<string, () => string>> = {
  /** The team has published its next key, and still states the fingerprint of the one before. */
  C5444B: () => armoredOf('C5444B renewed'),
  /** The fourth line of data was lost when the key was copied. */
  '1B8AA2': () => armoredOf('1B8AA2').split('\n').toSpliced(5, 1).join('\n'),
};

function armoredOf(number: string): string {
  const { armored } = keyOf(byNumber, number);
  if (armored === undefined) throw new Error(`keys.json has no armored text for ${number}`);
  return armored;
}

function keyOf(index: ReadonlyMap<string, TeamKey>, name: string): TeamKey {
  const key = index.get(name);
  if (key === undefined) throw new Error(`keys.json has no key ${name}`);
  return key;
}

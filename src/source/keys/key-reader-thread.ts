import { readKeys as parseKeys } from 'openpgp';

/** Fingerprints of the keys in an armored text: hexadecimal, in capitals. */
export interface KeyFingerprints {
  /** Of the primary keys, in the order of the text. */
  readonly primary: readonly string[];
  readonly subkeys: readonly string[];
}

const BLOCK = /-----BEGIN PGP PUBLIC KEY BLOCK-----[^]*?-----END PGP PUBLIC KEY BLOCK-----/g;

/**
 * Entry point of the worker thread of `KeyReader`. Reads each text; null if the library cannot read it because it is
 * not a key, damaged, too old or too new.
 */
export default async function readKeyTexts(texts: readonly string[]): Promise<readonly (KeyFingerprints | null)[]> {
  const facts: (KeyFingerprints | null)[] = [];
  for (const text of texts) facts.push(await readFingerprints(text).catch(() => null));
  return facts;
}

async function readFingerprints(text: string): Promise<KeyFingerprints | null> {
  const blocks = text.match(BLOCK) ?? [];
  const keys = (await Promise.all(blocks.map((armoredKeys) => parseKeys({ armoredKeys })))).flat();
  if (keys.length === 0) return null;
  return {
    primary: keys.map((key) => key.getFingerprint().toUpperCase()),
    subkeys: keys.flatMap((key) => key.getSubkeys().map((subkey) => subkey.getFingerprint().toUpperCase())),
  };
}

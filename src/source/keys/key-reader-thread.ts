import { readKeys as parseKeys } from 'openpgp';

/** What a text of armored keys holds. Fingerprints are hexadecimal, in capitals. */
export interface KeyFingerprints {
  /** Of the primary keys, in the order of the text. */
  readonly primary: readonly string[];
  readonly subkeys: readonly string[];
}

const BLOCK = /-----BEGIN PGP PUBLIC KEY BLOCK-----[^]*?-----END PGP PUBLIC KEY BLOCK-----/g;

/** The worker thread of `KeyReader`: reads each text; null for one that is no key to the library, be it damaged, too old or too new. */
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

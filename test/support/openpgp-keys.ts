import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** Public keys of fictitious teams, created for the tests with openpgp.generateKey; the private keys were discarded. */
export const openpgpKeys = z
  .array(
    z.object({
      name: z.string(),
      fingerprint: z.string().regex(/^[0-9A-F]{40}$/),
      subkeys: z.array(z.string()),
      armored: z.string(),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('../fixtures/openpgp-keys.json', import.meta.url), 'utf8')));

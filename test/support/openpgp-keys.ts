import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** Keys of fictitious teams, made for the tests with openpgp.generateKey; their private halves were thrown away. */
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

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

const key = z.object({ fingerprint: z.string().regex(/^[0-9A-F]{40}$/), armored: z.string() });

/**
 * Public keys of fictitious teams in other states, created in the same way on 2026-01-01: one that expires on
 * 2026-07-01, one that was revoked, and one whose user id is not signed.
 */
export const openpgpKeyStates = z
  .object({ expiring: key, revoked: key, unsigned: key })
  .parse(JSON.parse(readFileSync(new URL('../fixtures/openpgp-key-states.json', import.meta.url), 'utf8')));

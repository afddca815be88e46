import { timingSafeEqual } from 'node:crypto';
import { readBearerCredential } from '../../access/bearer-credential.js';
import { hashClientKey } from '../../access/client-keys.js';
import { createTextResponse } from './admin-response.js';
import type { AdminResponse } from './admin-response.js';

/**
 * Refuses a POST without the operator's key as a bearer token (operation 2.4.2); undefined: the key is right. The time
 * of the comparison does not depend on the key. `authorization`: all Authorization fields.
 */
export function refuseWithoutAdminKey(
  authorization: readonly string[],
  keySha256: string | undefined,
): AdminResponse | undefined {
  if (keySha256 === undefined) return createTextResponse(403, NO_KEY_CONFIGURED);
  const credential = readBearerCredential(authorization);
  if (credential.state !== 'present') return createUnauthorizedResponse('Bearer realm="admin"', KEY_REQUIRED);
  const hash = Buffer.from(hashClientKey(credential.token), 'hex');
  if (timingSafeEqual(hash, Buffer.from(keySha256, 'hex'))) return undefined;
  return createUnauthorizedResponse('Bearer realm="admin", error="invalid_token"', 'the key is wrong');
}

const NO_KEY_CONFIGURED =
  'actions are disabled: the configuration has no admin.key-sha256 (rollcall new-key makes a key and its hash)';

const KEY_REQUIRED = 'an action needs the key of admin.key-sha256, sent as Authorization: Bearer KEY';

function createUnauthorizedResponse(challenge: string, text: string): AdminResponse {
  return createTextResponse(401, text, { 'WWW-Authenticate': challenge });
}

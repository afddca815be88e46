import { createHash } from 'node:crypto';
import { fieldsOf } from '../gateway/data-gateway.js';
import { requestAdmin } from '../gateway/admin-port.js';
import type { AdminPortResponse } from '../gateway/admin-port.js';

/** The key of the operator in tests. */
const ADMIN_KEY = 'rck_key-of-the-operator-in-tests';

/** The section `admin` of a configuration with this key. */
export const ADMIN_SETTINGS = { 'key-sha256': createHash('sha256').update(ADMIN_KEY).digest('hex') };

/** Fields of a JSON object. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** Requests `/sources`, and returns the source with this code. */
export async function readSourceStatus(origin: string, code = 'one'): Promise<JsonFields> {
  const { status, text } = await requestAdmin(origin, '/sources');
  if (status !== 200) throw new Error(`/sources responded with ${status}: ${text}`);
  return findBy(fieldsOf(JSON.parse(text))['sources'], 'code', code);
}

/** Returns the status of a resource of a source at an access level. */
export async function readListStatus(
  origin: string,
  { code = 'one', access = 'public', resource = 'data-teams' } = {},
): Promise<JsonFields> {
  const level = findBy((await readSourceStatus(origin, code))['levels'], 'access', access);
  return findBy(level['resources'], 'resource', resource);
}

/** Performs an action with the key of the operator. */
export function actOn(origin: string, action: string, code = 'one'): Promise<AdminPortResponse> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  return requestAdmin(origin, `/sources/${code}/${action}`, { method: 'POST', headers });
}

/** Returns the object in a list that has this value; empty if there is none. */
export function findBy(list: unknown, name: string, value: unknown): JsonFields {
  const all = Array.isArray(list) ? list.map(fieldsOf) : [];
  return all.find((one) => one[name] === value) ?? {};
}

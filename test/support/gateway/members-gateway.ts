import { createHash } from 'node:crypto';

/** The key of a client with members access in tests. */
export const MEMBERS_KEY = 'rck_members-key-of-a-test';

/** The key of a client with public access only. */
export const PUBLIC_KEY = 'rck_public-key-of-a-test';

/** The key of a client whose key has expired. */
export const EXPIRED_KEY = 'rck_expired-key-of-a-test';

/** The section `access` of a configuration with these clients. */
export const ACCESS = {
  clients: [
    { name: 'csirt-north', 'key-sha256': hash(MEMBERS_KEY), access: 'members' },
    { name: 'monitor', 'key-sha256': hash(PUBLIC_KEY), access: 'public' },
    { name: 'former', 'key-sha256': hash(EXPIRED_KEY), access: 'members', expires: '2025-12-31' },
  ],
};

/** The header field of a credential. */
export function bearer(key: string): { readonly authorization: string } {
  return { authorization: `Bearer ${key}` };
}

/** The header field of the client with members access. */
export const AS_MEMBER = bearer(MEMBERS_KEY);

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Access level of a query, of everything that is cached or fetched for it, and of its response (decisions 1.4):
 * `members` includes what the sources return to this gateway's members credentials.
 */
export type AccessLevel = 'public' | 'members';

export const ACCESS_LEVELS: readonly AccessLevel[] = ['public', 'members'];

/** Whether a client with the access level `granted` may have what requires `required` (decisions 8.1). */
export function isAccessSufficient(granted: AccessLevel, required: AccessLevel): boolean {
  return granted === 'members' || required === 'public';
}

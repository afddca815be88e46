/**
 * Access level of a query, of everything that is cached or fetched for it, and of its response (decisions 1.4):
 * `members` includes what the sources return to this gateway's members credentials.
 */
export type AccessLevel = 'public' | 'members';

export const ACCESS_LEVELS: readonly AccessLevel[] = ['public', 'members'];

/** The access level `granted` suffices where `required` is needed. */
export function isAccessSufficient(granted: AccessLevel, required: AccessLevel): boolean {
  return granted === 'members' || required === 'public';
}

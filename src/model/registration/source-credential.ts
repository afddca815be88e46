import type { AccessLevel } from '../access-level.js';

/** How this gateway authenticates itself at a source (operation 2.8.12). All texts are secret, except names. */
export type SourceCredential =
  | { readonly kind: 'bearer'; readonly token: string }
  /** User and password, separated by the first colon. */
  | { readonly kind: 'basic'; readonly userPassword: string }
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
  | { readonly kind: 'query'; readonly name: string; readonly value: string };

/** The credentials of one source by access level. Absent: requests of that level are sent without credentials. */
export type SourceCredentials = Readonly<Partial<Record<AccessLevel, SourceCredential>>>;

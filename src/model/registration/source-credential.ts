import type { AccessLevel } from '../access-level.js';

/** All texts are secret, except names (operation 2.8.12). */
export type SourceCredential =
  | { readonly kind: 'bearer'; readonly token: string }
  /** User and password, separated by the first colon. */
  | { readonly kind: 'basic'; readonly userPassword: string }
  | { readonly kind: 'header'; readonly name: string; readonly value: string }
  | { readonly kind: 'query'; readonly name: string; readonly value: string };

/** Absent: requests of that level carry no credentials. */
export type SourceCredentials = Readonly<Partial<Record<AccessLevel, SourceCredential>>>;

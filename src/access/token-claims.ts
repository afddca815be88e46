import type { IssuerConfig } from '../config/config.js';
import type { AccessLevel } from '../model/access-level.js';

/** As received. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** In UTF-16 code units. OpenID Connect allows 255 characters of ASCII. */
const MAX_NAME_LENGTH = 200;

/** Would change how a line of the log is displayed. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The subject (`sub`), shortened and without control characters; undefined where nothing is left. */
export function readSubject({ sub }: TokenClaims): string | undefined {
  if (typeof sub !== 'string') return undefined;
  const name = sub.slice(0, MAX_NAME_LENGTH).replace(CONTROL_CHARACTERS, '');
  return name.trim() === '' ? undefined : name;
}

/** Members where each claim of `members-claim` has its value (operation 2.6.3). */
export function findAccessLevel(claims: TokenClaims, membersClaim: IssuerConfig['membersClaim']): AccessLevel {
  const isMember = [...membersClaim].every(([claim, value]) => hasValue(claims, claim, value));
  return isMember && membersClaim.size > 0 ? 'members' : 'public';
}

function hasValue(claims: TokenClaims, claim: string, value: string): boolean {
  const texts = readTexts(claims[claim]);
  // RFC 8693, section 4.2: the values of `scope` are separated by spaces.
  return texts.includes(value) || (claim === 'scope' && texts.some((text) => text.split(' ').includes(value)));
}

function readTexts(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((item) => typeof item === 'string');
}

import type { IssuerConfig } from '../config/config.js';
import type { AccessLevel } from '../model/access-level.js';
import type { InvalidCredentialReason } from './client.js';

/** The claims of a token, as received. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/**
 * Checks whether a token is meant for this gateway and valid at the time `now`, in milliseconds since 1970 (operation
 * 2.6.3). `iss`, `aud` and `exp` are required (RFC 7519, section 4.1). Returns why it is refused; undefined: it is not.
 */
export function checkClaims(
  claims: TokenClaims,
  issuer: IssuerConfig,
  now: number,
): InvalidCredentialReason | undefined {
  const { iss, aud, exp, nbf = 0 } = claims;
  if (iss !== issuer.url || !readTexts(aud).includes(issuer.audience)) return 'token';
  if (!isNumericDate(exp) || !isNumericDate(nbf)) return 'token';
  if (nbf * 1000 > now + issuer.clockTolerance) return 'token';
  return exp * 1000 <= now - issuer.clockTolerance ? 'expired' : undefined;
}

/** Whether a claim is a NumericDate (RFC 7519, section 2): seconds since 1970. */
function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Maximum length of a client's name, in UTF-16 code units. OpenID Connect allows 255 characters of ASCII. */
const MAX_NAME_LENGTH = 200;

/** Characters that would change how a line of the log is displayed. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Returns the subject (`sub`) of a token as the name of a client, shortened and without control characters; undefined
 * where nothing is left.
 */
export function readSubject({ sub }: TokenClaims): string | undefined {
  if (typeof sub !== 'string') return undefined;
  const name = sub.slice(0, MAX_NAME_LENGTH).replace(CONTROL_CHARACTERS, '');
  return name.trim() === '' ? undefined : name;
}

/** Returns the access level of a token: members where each claim of `members-claim` has its value (operation 2.6.3). */
export function findAccessLevel(claims: TokenClaims, membersClaim: IssuerConfig['membersClaim']): AccessLevel {
  const isMember = [...membersClaim].every(([claim, value]) => hasValue(claims, claim, value));
  return isMember && membersClaim.size > 0 ? 'members' : 'public';
}

function hasValue(claims: TokenClaims, claim: string, value: string): boolean {
  const texts = readTexts(claims[claim]);
  // RFC 8693, section 4.2: the values of `scope` are separated by spaces.
  return texts.includes(value) || (claim === 'scope' && texts.some((text) => text.split(' ').includes(value)));
}

/** Returns a text, or the texts of a list. */
function readTexts(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((item) => typeof item === 'string');
}

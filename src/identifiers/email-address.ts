/** Each part ends where the next one begins, so the pattern does not backtrack. */
const ADDRESS = /^[^@]+@[^@.]+(?:\.[^@.]+)+$/;

/** RFC 6068, with what the message would contain. */
const MAIL_URL = /^mailto:([^?]*).*$/i;

/** RFC 5321, section 4.5.3.1, in characters. */
const MAX_LENGTH = 320;

/** In lower case, at most `most`. A text of more than that many of the longest addresses is not read. */
export function findEmailAddresses(text: string, most: number): readonly string[] {
  if (text.length > most * MAX_LENGTH) return [];
  return text
    .split(/[\s,;<>]+/)
    .map((token) => token.replace(MAIL_URL, '$1'))
    .filter((token) => token.length <= MAX_LENGTH && ADDRESS.test(token))
    .slice(0, most)
    .map((address) => address.toLowerCase());
}

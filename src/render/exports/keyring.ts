import { cutText } from '../../text/visible-text.js';
import type { Keyring, OmittedKey, RenderInput, ResponseFacts } from '../render-input.js';
import { armorPublicKeys } from './ascii-armor.js';

/**
 * One armored keyring (RFC 9580, section 6.2; decisions 3.17), preceded by plain-text lines, which OpenPGP programs
 * skip: the address, the sources with their states, and the keys that are left out.
 */
export function* renderKeyring({
  keyring,
  facts,
}: Pick<RenderInput, 'keyring' | 'facts'>): Generator<string, void, undefined> {
  const { keys, omitted } = keyring;
  for (const line of listFactLines(facts, keyring)) yield formatComment(line);
  const omittedCount = omitted.reduce((sum, { blocks = 1 }) => sum + blocks, 0);
  if (omittedCount > 0) yield formatComment(`Left out: ${omittedCount}`);
  for (const one of omitted) yield formatComment(describeOmitted(one));
  if (keys.length === 0) return;
  yield '\n';
  yield* armorPublicKeys(listDistinctPackets(keys));
}

/** Keys that several teams state in the same bytes are listed once. */
function listDistinctPackets(keys: Keyring['keys']): readonly Uint8Array[] {
  return [...new Map(keys.map(({ packets }) => [Buffer.from(packets).toString('base64'), packets])).values()];
}

function* listFactLines(
  { address, access, total, sources }: ResponseFacts,
  { teams, keys }: Keyring,
): Generator<string, void, undefined> {
  yield `OpenPGP keys of ${shorten(address, MAX_ADDRESS_LENGTH)}`;
  if (access !== 'public') yield `Access: ${access}`;
  yield `Teams: ${teams} of ${total}`;
  yield `Keys: ${new Set(keys.map(({ fingerprint }) => fingerprint)).size}`;
  for (const { sourceName, state, reason, description } of sources) {
    const cause = reason === undefined ? '' : `, ${reason}: ${description ?? reason}`;
    yield `Source: ${shorten(sourceName)} (${state}${cause})`;
  }
}

function describeOmitted({ teamId, sourceName, fingerprint, reason, blocks = 1 }: OmittedKey): string {
  const shown = fingerprint === undefined ? 'no fingerprint' : shorten(fingerprint);
  const count = blocks === 1 ? '' : ` (${blocks} blocks)`;
  return `  ${shorten(teamId)} of ${shorten(sourceName)}: ${shown}: ${reason}${count}`;
}

/** In a line: of an id, a name or fingerprints, which are from sources, in characters. */
const MAX_FOREIGN_LENGTH = 300;

/** It contains the query. In characters. */
const MAX_ADDRESS_LENGTH = 1_000;

/** So that the other parts of a line are always shown. */
function shorten(text: string, maxLength = MAX_FOREIGN_LENGTH): string {
  const start = cutText(text, maxLength);
  return start === undefined ? text : `${start}…`;
}

/** Also line separators, lone surrogates, and controls of writing direction, which reorder the line. */
const CONTROL_CHARACTER = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The text may be from a source: line ends and control characters are replaced, and so is every row of hyphens that a
 * reader could take for an armor header.
 */
function formatComment(text: string): string {
  return `${text.replace(CONTROL_CHARACTER, '\ufffd').replace(/-{4,}/g, '---')}\n`;
}

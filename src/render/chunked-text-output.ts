import { isMapNode } from '../model/document-node.js';
import type { DocumentNode } from '../model/document-node.js';
import type { Scalar } from '../model/property-value.js';

/** In characters: about a millisecond of work in any format. */
const FLUSH_LENGTH = 8 * 1024;

/**
 * Text that a renderer wrote and did not yield yet. A renderer is a generator that yields the buffer as soon as it is
 * long enough, also within a record, so that the event loop can run between pieces of a record of any width (decisions
 * 3.14).
 */
export class OutputBuffer {
  private text = '';

  constructor(private readonly flushLength = FLUSH_LENGTH) {}

  add(text: string): void {
    this.text += text;
  }

  get isFull(): boolean {
    return this.text.length >= this.flushLength;
  }

  /** Characters since the last line feed. */
  get column(): number {
    return this.text.length - (this.text.lastIndexOf('\n') + 1);
  }

  flush(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  *flushRest(): Generator<string, void, undefined> {
    if (this.text !== '') yield this.flush();
  }
}

/** In characters. A longer text is split into slices. */
export const MAX_SHORT_LENGTH = 16 * 1024;

/** Written at once, as nearly all scalars are. */
export function isShortScalar(node: DocumentNode): node is Scalar {
  return typeof node === 'string' ? node.length <= MAX_SHORT_LENGTH : typeof node !== 'object';
}

/** For a library, besides the text, in characters. */
const SCALAR_OVERHEAD = 16;

/**
 * Cost of writing a node at once with a library, in characters including a constant for each scalar. Infinity for a
 * node that must be split: a text of more than 16,384 characters, a collection whose cost exceeds `most`, or one that
 * can be iterated only once.
 */
export function estimateRenderedLength(node: DocumentNode, most: number): number {
  if (typeof node === 'string') return node.length > MAX_SHORT_LENGTH ? Infinity : SCALAR_OVERHEAD + node.length;
  if (typeof node !== 'object') return SCALAR_OVERHEAD;
  if (isSinglePass(node)) return Infinity;
  let weight = SCALAR_OVERHEAD;
  for (const inner of isMapNode(node) ? [...node.keys(), ...node.values()] : node) {
    weight += estimateRenderedLength(inner, most);
    if (weight > most) return Infinity;
  }
  return weight;
}

function isSinglePass(node: Iterable<DocumentNode>): boolean {
  return !Array.isArray(node) && !isMapNode(node);
}

/** No slice ends within a surrogate pair. */
export function* splitLongText(text: string): Generator<string, void, undefined> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + MAX_SHORT_LENGTH, text.length);
    if (isSurrogatePair(text, to - 1)) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

function isSurrogatePair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

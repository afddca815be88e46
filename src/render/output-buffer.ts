import { isMapNode } from '../model/document.js';
import type { DocumentNode } from '../model/document.js';
import type { Scalar } from '../model/property-value.js';

/** Characters from which on a text is given out as a piece: a millisecond of work or so, whatever it is made of. */
const FLUSH_LENGTH = 8 * 1024;

/**
 * Text that a renderer has written and not given out yet. A renderer is a generator that gives out what is pending as soon as it is long enough, also
 * within a record, so that the event loop has its turns between the pieces of a record of any width.
 */
export class OutputBuffer {
  private text = '';

  constructor(private readonly flushLength = FLUSH_LENGTH) {}

  add(text: string): void {
    this.text += text;
  }

  /** Whether it is long enough to be given out. */
  get isFull(): boolean {
    return this.text.length >= this.flushLength;
  }

  /** Characters since the last line feed. */
  get column(): number {
    return this.text.length - (this.text.lastIndexOf('\n') + 1);
  }

  /** Gives it out: from here on nothing is pending. */
  flush(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  /** What is pending, where there is anything. */
  *flushRest(): Generator<string, void, undefined> {
    if (this.text !== '') yield this.flush();
  }
}

/** Characters of a text that is written in one go; a longer one is cut into slices. */
export const MAX_SHORT_LENGTH = 16 * 1024;

/** Whether it is a scalar that is written in one go, as nearly all are. */
export function isShortScalar(node: DocumentNode): node is Scalar {
  return typeof node === 'string' ? node.length <= MAX_SHORT_LENGTH : typeof node !== 'object';
}

/** What it costs a library to write a scalar, however short, in characters. */
const SCALAR_OVERHEAD = 16;

/**
 * Characters that a library would write of a node in one go, with some for each scalar; Infinity where it has to be split: a text of more than 16,384
 * characters, a collection with more than `most` in it, or one that can be read once only.
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

/** A long text in slices, none of which ends within a character. */
export function* splitLongText(text: string): Generator<string, void, undefined> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + MAX_SHORT_LENGTH, text.length);
    if (isSurrogatePair(text, to - 1)) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** Whether the code unit there is the first of a surrogate pair. */
function isSurrogatePair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

import { isMap } from '../model/document.js';
import type { Node } from '../model/document.js';
import type { Scalar } from '../model/value.js';

/** Characters from which on a text is given out as a piece: a millisecond of work or so, whatever it is made of. */
const PIECE = 8 * 1024;

/**
 * Text that a renderer has written and not given out yet. A renderer is a generator that gives out what is pending as soon as it is long enough, also
 * within a record, so that the event loop has its turns between the pieces of a record of any width.
 */
export class Pending {
  private text = '';

  constructor(private readonly piece = PIECE) {}

  add(text: string): void {
    this.text += text;
  }

  /** Whether it is long enough to be given out. */
  get isFull(): boolean {
    return this.text.length >= this.piece;
  }

  /** Characters since the last line feed. */
  get column(): number {
    return this.text.length - (this.text.lastIndexOf('\n') + 1);
  }

  /** Gives it out: from here on nothing is pending. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  /** What is pending, where there is anything. */
  *rest(): Generator<string, void, undefined> {
    if (this.text !== '') yield this.take();
  }
}

/** Characters of a text that is written in one go; a longer one is cut into slices. */
export const LONG = 16 * 1024;

/** Whether it is a scalar that is written in one go, as nearly all are. */
export function isShort(node: Node): node is Scalar {
  return typeof node === 'string' ? node.length <= LONG : typeof node !== 'object';
}

/** What it costs a library to write a scalar, however short, in characters. */
const PER_SCALAR = 16;

/**
 * Characters that a library would write of a node in one go, with some for each scalar; Infinity where it has to be split: a text of more than 16,384
 * characters, a collection with more than `most` in it, or one that can be read once only.
 */
export function weightOf(node: Node, most: number): number {
  if (typeof node === 'string') return node.length > LONG ? Infinity : PER_SCALAR + node.length;
  if (typeof node !== 'object') return PER_SCALAR;
  if (isReadOnce(node)) return Infinity;
  let weight = PER_SCALAR;
  for (const inner of isMap(node) ? [...node.keys(), ...node.values()] : node) {
    weight += weightOf(inner, most);
    if (weight > most) return Infinity;
  }
  return weight;
}

function isReadOnce(node: Iterable<Node>): boolean {
  return !Array.isArray(node) && !isMap(node);
}

/** A long text in slices, none of which ends within a character. */
export function* slicesOf(text: string): Generator<string, void, undefined> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + LONG, text.length);
    if (isPair(text, to - 1)) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** Whether the code unit there is the first of a surrogate pair. */
function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

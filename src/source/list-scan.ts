import { SourceFailure } from './failure.js';

/** Some items of a list: the bytes `from` up to, not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** Commas between them and one. */
  readonly items: number;
}

/** Where the items of a body's list are. */
export interface List {
  readonly parts: readonly Span[];
  readonly from: number;
  readonly to: number;
}

/** Values (and lists and objects) in one item at most, and in all that is no item: a hundred times what a record has. */
const MOST_VALUES = 20_000;

/** Items of one body at most: as many as one source may have. */
const MOST_ITEMS = 1_000_000;

/** Bytes of a part, or more when its last item is larger. */
const PART = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What an envelope calls its list (interfaces.md, section 1). */
const DATA = Buffer.from('"data"');

/**
 * Finds the list of records in the bytes of a JSON text, bare or as an envelope's `data`, without parsing it. What it finds in bytes that
 * are no JSON means nothing: each part is still to be parsed. Throws where one item, or what is no item, holds too much.
 */
export class ListScan {
  private at = 0;
  private depth = 0;
  private inText = false;
  private textFrom = 0;
  private textTo = 0;
  /** Whether the value that comes next is the list: at the very start, and behind the list's name in an envelope. */
  private awaited = true;
  /** Depth of the list's items; 0 until it begins, and again when it has ended. */
  private itemDepth = 0;
  private values = 0;
  private outside = 0;
  private all = 0;
  private from = 0;
  private partFrom = 0;
  private partItems = 0;
  private parts: Span[] = [];
  private found: List | undefined;

  constructor(private readonly bytes: Buffer) {}

  /** The list, where there is one, once all was scanned. */
  get list(): List | undefined {
    return this.found;
  }

  /** Whether what was opened so far is closed. */
  get closes(): boolean {
    return this.depth === 0 && !this.inText;
  }

  /** Scans so many further bytes. */
  advance(length: number): void {
    const to = Math.min(this.at + length, this.bytes.length);
    while (this.at < to) {
      if (this.inText) this.text(to);
      else {
        this.structure(this.bytes[this.at] ?? 0);
        this.at += 1;
      }
    }
  }

  /** To the end of the text, or of what is scanned now: most bytes are text. */
  private text(to: number): void {
    const { bytes } = this;
    let { at } = this;
    while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (at < to) {
      this.inText = false;
      this.textTo = at + 1;
    }
    this.at = Math.max(at, Math.min(at + 1, to));
  }

  private structure(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.inText = true;
        this.textFrom = this.at;
        break;
      case COMMA:
        this.comma();
        break;
      case COLON:
        if (this.depth === 1 && this.itemDepth === 0) this.named();
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.opened(byte);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.closed();
        break;
      default:
    }
  }

  private comma(): void {
    this.count();
    if (this.depth !== this.itemDepth) return;
    this.values = 0;
    this.partItems += 1;
    if (this.at - this.partFrom < PART) return;
    this.part();
    this.partFrom = this.at + 1;
  }

  private part(): void {
    this.parts.push({ from: this.partFrom, to: this.at, items: this.partItems });
    this.all += this.partItems;
    this.partItems = 0;
    if (this.all > MOST_ITEMS) throw new SourceFailure('size', `a body of more than ${MOST_ITEMS} items`);
  }

  private named(): void {
    this.awaited = this.bytes.subarray(this.textFrom, this.textTo).equals(DATA);
    // The last of several properties of one name is the one that counts, and a list that was cut out cannot be put back.
    if (this.awaited && this.found !== undefined) throw new SourceFailure('schema', 'a large body with two lists');
  }

  private opened(byte: number): void {
    this.count();
    this.depth += 1;
    const begins = this.awaited && byte === OPEN_LIST;
    this.awaited = false;
    if (!begins) return;
    this.itemDepth = this.depth;
    this.from = this.partFrom = this.at + 1;
    this.values = 0;
    this.partItems = 0;
  }

  private closed(): void {
    if (this.depth === this.itemDepth && this.itemDepth > 0) {
      this.partItems += 1;
      this.part();
      this.found = { parts: this.parts, from: this.from, to: this.at };
      this.itemDepth = 0;
      this.parts = [];
    }
    this.depth -= 1;
  }

  private count(): void {
    const inItem = this.itemDepth > 0;
    const values = inItem ? (this.values += 1) : (this.outside += 1);
    if (values > MOST_VALUES) throw new SourceFailure('size', `more than ${MOST_VALUES} values in one record`);
  }
}

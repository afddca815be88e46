import { isMapNode } from '../model/document-node.js';
import type { DocumentNode } from '../model/document-node.js';
import type { Scalar } from '../model/property-value.js';
import {
  YAML_INDENT,
  buildYamlPlaceholder,
  writeYamlLines,
  buildYamlMapping,
  quoteYaml,
  buildYamlScalar,
  buildYamlSequence,
} from '../text/js-yaml-adapter.js';
import type { YamlAstNode } from '../text/js-yaml-adapter.js';
import { MAX_SHORT_LENGTH, OutputBuffer, estimateRenderedLength } from './chunked-text-output.js';
import { fillPlaceholders, needsQuotedScalar, renderQuotedScalar } from './yaml-quoted-scalar.js';
import type { ScalarPosition } from './yaml-quoted-scalar.js';

/** At least one piece for each item of a list (decisions 3.4). Lone surrogates become U+FFFD (decisions 3.11). */
export function renderYaml(document: DocumentNode): Generator<string, void, undefined> {
  return new YamlWriter().write(document);
}

/** Written by the library at once: about a millisecond of work. */
const PIECE_WEIGHT = 4 * 1024;

interface BlockPosition {
  readonly depth: number;
  /** Replaces the indentation of the first line. */
  readonly firstIndentation: string;
  /** For a collection without entries. */
  readonly emptyText: string;
}

type Collection = Exclude<DocumentNode, Scalar>;

/** Writes small entries of a collection together with the library, and splits wide ones. */
class YamlWriter {
  readonly #pending = new OutputBuffer(PIECE_WEIGHT);

  *write(document: DocumentNode): Generator<string, void, undefined> {
    if (typeof document === 'object') {
      yield* this.#collection(document, {
        depth: 0,
        firstIndentation: '',
        emptyText: `${getEmptyLiteral(document)}\n`,
      });
    } else yield* this.#scalar(document, { column: 0, indent: YAML_INDENT });
    yield* this.#pending.flushRest();
  }

  /** Yields the buffer whenever it is full. */
  *#collection(node: Collection, block: BlockPosition): Generator<string, void, undefined> {
    const pending = this.#pending;
    const chunk = new YamlChunk(isMapNode(node), block);
    for (const [name, value] of iterateEntries(node)) {
      const weight = estimateRenderedLength(value, PIECE_WEIGHT);
      if (name.length <= MAX_SHORT_LENGTH && weight < Infinity) chunk.add(name, value, weight);
      else {
        pending.add(chunk.takeBefore(name));
        yield* this.#value(value, block.depth + 1, isMapNode(node));
      }
      if (chunk.weight >= PIECE_WEIGHT) pending.add(chunk.take());
      if (pending.isFull) yield pending.flush();
    }
    pending.add(chunk.isEmpty ? block.emptyText : chunk.take());
  }

  /** After a colon (`isNamed`) or a dash. */
  *#value(value: DocumentNode, depth: number, isNamed: boolean): Generator<string, void, undefined> {
    const indent = YAML_INDENT * depth;
    if (typeof value === 'object') {
      const first = isNamed ? `\n${' '.repeat(indent)}` : ' ';
      yield* this.#collection(value, { depth, firstIndentation: first, emptyText: ` ${getEmptyLiteral(value)}\n` });
      return;
    }
    this.#pending.add(' ');
    yield* this.#scalar(value, { column: this.#pending.column, indent });
  }

  *#scalar(value: Scalar, position: ScalarPosition): Generator<string, void, undefined> {
    const pending = this.#pending;
    if (typeof value !== 'string') {
      pending.add(writeYamlLines(buildYamlScalar(value), 0));
      return;
    }
    for (const piece of renderQuotedScalar(value, position)) {
      pending.add(piece);
      if (pending.isFull) yield pending.flush();
    }
    pending.add('\n');
  }
}

/** Entries of one collection that the library writes together. */
class YamlChunk {
  /** Estimated length, in characters. */
  weight = 0;
  /** No entry of the collection was written or added yet. */
  isEmpty = true;
  readonly #indentation: string;
  #nextIndentation: string;
  #entries: [name: string, value: YamlAstNode][] = [];
  /** Entries that `renderQuotedScalar` writes, in order. */
  #quotedTexts: string[] = [];

  constructor(
    private readonly isNamed: boolean,
    private readonly block: BlockPosition,
  ) {
    this.#indentation = ' '.repeat(YAML_INDENT * block.depth);
    this.#nextIndentation = block.firstIndentation;
  }

  /** `weight` is finite. The name of a list item is ignored. */
  add(name: string, value: DocumentNode, weight: number): void {
    this.#entries.push([name, this.#buildNode(value)]);
    this.weight += weight;
    this.isEmpty = false;
  }

  /** Empties the chunk. */
  take(): string {
    if (this.#entries.length === 0) return '';
    const node = this.isNamed
      ? buildYamlMapping(this.#entries)
      : buildYamlSequence(this.#entries.map(([, value]) => value));
    const lines = fillPlaceholders(writeYamlLines(node, this.block.depth), this.#quotedTexts);
    [this.#entries, this.#quotedTexts, this.weight] = [[], [], 0];
    return this.#takeIndentation() + lines.slice(this.#indentation.length);
  }

  /** With the beginning of a further entry, up to its colon or dash. */
  takeBefore(name: string): string {
    this.isEmpty = false;
    if (!this.isNamed) return `${this.take()}${this.#takeIndentation()}-`;
    if (name.length > MAX_SHORT_LENGTH)
      return `${this.take()}${this.#takeIndentation()}? ${quoteYaml(name)}\n${this.#indentation}:`;
    this.add(name, PLACEHOLDER, 0);
    return this.take().slice(0, -` ${PLACEHOLDER}\n`.length);
  }

  #buildNode(value: DocumentNode): YamlAstNode {
    if (typeof value === 'string' && needsQuotedScalar(value)) {
      this.#quotedTexts.push(value);
      return buildYamlPlaceholder();
    }
    if (typeof value !== 'object') return buildYamlScalar(value);
    if (!isMapNode(value)) return buildYamlSequence([...value].map((item) => this.#buildNode(item)));
    return buildYamlMapping([...renameDuplicates(value)].map(([name, inner]) => [name, this.#buildNode(inner)]));
  }

  #takeIndentation(): string {
    const before = this.#nextIndentation;
    this.#nextIndentation = this.#indentation;
    return before;
  }
}

const PLACEHOLDER = 'v';

/** Of a map, with distinct names (`renameDuplicates`), or the items of a list, with an empty name. */
function* iterateEntries(node: Collection): Generator<readonly [string, DocumentNode], void, undefined> {
  if (isMapNode(node)) yield* renameDuplicates(node);
  else for (const item of node) yield ['', item];
}

/**
 * Lone surrogates in names become U+FFFD; names that become equal are distinguished by further U+FFFD. A reader may
 * refuse a document with duplicate keys.
 */
function renameDuplicates(node: ReadonlyMap<string, DocumentNode>): ReadonlyMap<string, DocumentNode> {
  if ([...node.keys()].every((name) => name.isWellFormed())) return node;
  const renamed = new Map<string, DocumentNode>();
  for (const [name, value] of node) {
    let free = name.toWellFormed();
    while (renamed.has(free) || (free !== name && node.has(free))) free += '\ufffd';
    renamed.set(free, value);
  }
  return renamed;
}

function getEmptyLiteral(node: Collection): string {
  return isMapNode(node) ? '{}' : '[]';
}

import { EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from '../../text/js-yaml-adapter.js';
import type { Event, ScalarEvent } from '../../text/js-yaml-adapter.js';
import { SourceFailure } from '../client/source-failure.js';
import { MAX_MARKUP_DEPTH, isIndexName, requireFewIndexNames, requireFewValues } from './body-limits.js';
import type { ValueLimit } from './body-limits.js';
import { decodeUnicode } from './text-decoding.js';

/**
 * Gives values of JSON (decisions 4.30). Throws a `SourceFailure`: `body` if it is not one YAML document in UTF-8 or
 * UTF-16, or has aliases; `size` beyond a limit (decisions 8.6).
 */
export function parseYamlDocument(body: Buffer): unknown {
  const text = decodeUnicode(body);
  if (text === undefined) throw new SourceFailure('body', 'YAML that is neither UTF-8 nor UTF-16');
  requireFewValues(countNodes(text), text.length, YAML_VALUES);
  return new YamlValueReader(text, parseYamlEvents(text)).read();
}

/** Up to 450 bytes of memory each. */
const YAML_VALUES: ValueLimit = { least: 500_000, bytes: 16 };

function notRead(feature: string): SourceFailure {
  return new SourceFailure('body', `YAML with ${feature} is not read`);
}

function parseYamlEvents(text: string): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth: MAX_MARKUP_DEPTH });
  } catch (error) {
    const line = error instanceof YAMLException && error.mark !== undefined ? ` (line ${error.mark.line + 1})` : '';
    const message = `not YAML, or nested more than ${MAX_MARKUP_DEPTH} deep${line}`;
    throw new SourceFailure('body', message, { cause: error });
  }
}

/** Of another value: in a new line, after a comma or bracket, and after a dash or question mark with a space. */
const BEGINNINGS = /\r\n?|[\n,[{]|[-?] /g;

/** Upper bound; an entry of a mapping is one value. Characters in quotation marks count too. */
function countNodes(text: string): number {
  let count = 0;
  BEGINNINGS.lastIndex = 0;
  while (BEGINNINGS.test(text)) count += 1;
  return count;
}

/** From events, whose depth the parser bounds. */
class YamlValueReader {
  #next = 0;
  #indexNames = 0;

  constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
  ) {}

  read(): unknown {
    if (this.events.length === 0) throw new SourceFailure('body', 'YAML without a document');
    this.#next += 1;
    const value = this.#node();
    this.#next += 1;
    if (this.#next < this.events.length) throw notRead('more than one document');
    return value;
  }

  #node(): unknown {
    const event = this.events[this.#next++];
    if (event?.type === EVENT_ID.SCALAR) return this.#scalar(event);
    if (event?.type === EVENT_ID.SEQUENCE) return this.#sequence();
    if (event?.type === EVENT_ID.MAPPING) return this.#mapping();
    if (event?.type === EVENT_ID.ALIAS) throw notRead('aliases (*name)');
    throw new SourceFailure('body', 'YAML without a value');
  }

  #sequence(): readonly unknown[] {
    const items: unknown[] = [];
    while (!this.#takeEnd()) items.push(this.#node());
    return items;
  }

  /** The last of equal names counts, as in JSON (decisions 6.14). */
  #mapping(): Readonly<Record<string, unknown>> {
    const entries: [name: string, value: unknown][] = [];
    while (!this.#takeEnd()) {
      const name = this.#name();
      entries.push([name, this.#node()]);
    }
    return Object.fromEntries(entries);
  }

  #name(): string {
    const event = this.events[this.#next++];
    if (event?.type === EVENT_ID.ALIAS) throw notRead('aliases (*name)');
    if (event?.type !== EVENT_ID.SCALAR) throw notRead('lists or mappings as names');
    const name = getScalarValue(this.text, event);
    if (isIndexName(name)) requireFewIndexNames((this.#indexNames += 1));
    return name;
  }

  /** With a tag, in quotation marks or in a block it is text. */
  #scalar(event: ScalarEvent): unknown {
    const value = getScalarValue(this.text, event);
    return event.style === SCALAR_STYLE.PLAIN && event.tagStart < 0 ? resolvePlainScalar(value) : value;
  }

  /** Consumes the next event if it ends the collection. */
  #takeEnd(): boolean {
    if (this.events[this.#next]?.type !== EVENT_ID.POP) return false;
    this.#next += 1;
    return true;
  }
}

/** Plain scalars of YAML 1.2's core schema that are neither text nor numbers. */
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ...['', '~', 'null', 'Null', 'NULL'].map((text): [string, null] => [text, null]),
  ...['true', 'True', 'TRUE'].map((text): [string, boolean] => [text, true]),
  ...['false', 'False', 'FALSE'].map((text): [string, boolean] => [text, false]),
]);

/**
 * A number only where its text can be restored. The core schema would also take telephone numbers (`+4755500100`),
 * postal codes (`0150`), versions (`1.10`) and key ids (`0x1234`, `1234e5`) for numbers.
 */
function resolvePlainScalar(text: string): string | number | boolean | null {
  const constant = CONSTANTS.get(text);
  if (constant !== undefined) return constant;
  if (!/^-?\d/.test(text)) return text;
  const number = Number(text);
  // js-yaml writes 1e+21 as 1.e+21.
  return Number.isFinite(number) && String(number) === text.replace('.e', 'e') ? number : text;
}

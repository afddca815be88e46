import {
  type Event,
  type ScalarEvent,
  EVENT_ID,
  SCALAR_STYLE,
  YAMLException,
  getScalarValue,
  parseEvents,
} from '../../text/js-yaml-adapter.js';
import type { ConfigIssue, ConfigNode, ConfigPath, MapEntry } from './config-node.js';

/** `root` is undefined for an empty text, and for one that is not YAML, which has an issue. */
export interface ParsedYaml {
  readonly root: ConfigNode | undefined;
  readonly issues: readonly ConfigIssue[];
}

/**
 * Parses one document, whose first character has the offset `begin`. A repeated key is an error, and its first value is kept. Aliases and tags are errors: a
 * configuration needs neither, and aliases can expand a small file enormously (operation 2.1.1).
 */
export function parseYaml(text: string, begin = 0): ParsedYaml {
  try {
    return new YamlReader(text, parseEvents(text, {}), begin).read();
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const offset = begin + (error.mark?.position ?? 0);
    return { root: undefined, issues: [{ path: [], offset, message: `not valid YAML: ${error.reason}` }] };
  }
}

class YamlReader {
  readonly #issues: ConfigIssue[] = [];
  #next = 0;

  constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
    private readonly begin: number,
  ) {}

  read(): ParsedYaml {
    if (this.#take() === undefined) return { root: undefined, issues: [] };
    const root = this.#node([], this.begin);
    this.#take();
    if (this.#take() !== undefined)
      this.#addIssue(
        [],
        this.#offsetOf(this.#take(), this.begin + this.text.length),
        'second document; a file must have exactly one',
      );
    return { root, issues: this.#issues };
  }

  #take(): Event | undefined {
    return this.events[this.#next++];
  }

  /** `emptyAt`: the offset of a value that is not written, which is that of its key. */
  #node(path: ConfigPath, emptyAt: number): ConfigNode {
    const event = this.#take();
    const offset = this.#offsetOf(event, emptyAt);
    const node = this.#content(event, path, offset);
    const problem = unsupportedFeature(event);
    if (problem !== undefined) this.#addIssue(path, offset, problem);
    return node;
  }

  #content(event: Event | undefined, path: ConfigPath, offset: number): ConfigNode {
    if (event?.type === EVENT_ID.MAPPING) return { kind: 'map', offset, entries: this.#entries(path, offset) };
    if (event?.type === EVENT_ID.SCALAR) return { kind: 'scalar', offset, value: this.#scalar(event) };
    if (event?.type !== EVENT_ID.SEQUENCE) return { kind: 'unusable', offset };
    const items: ConfigNode[] = [];
    while (!this.#takeEnd()) items.push(this.#node([...path, items.length], offset));
    return { kind: 'list', offset, items };
  }

  #entries(path: ConfigPath, offset: number): ReadonlyMap<string, MapEntry> {
    const entries = new Map<string, MapEntry>();
    while (!this.#takeEnd()) {
      const keyOffset = this.#offsetOf(this.events[this.#next], offset);
      const key = this.#key(path, keyOffset);
      const value = this.#node([...path, key ?? '?'], keyOffset);
      if (key === undefined) continue;
      if (entries.has(key)) this.#addIssue([...path, key], keyOffset, 'duplicate key');
      else entries.set(key, { keyOffset, value });
    }
    return entries;
  }

  #key(path: ConfigPath, offset: number): string | undefined {
    const event = this.events[this.#next];
    if (event?.type === EVENT_ID.SCALAR && unsupportedFeature(event) === undefined) {
      this.#next++;
      return getScalarValue(this.text, event);
    }
    this.#addIssue(path, offset, 'a key must be plain text');
    this.#skip();
    return undefined;
  }

  #skip(): void {
    let depth = 0;
    do {
      const type = this.#take()?.type;
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth++;
      if (type === EVENT_ID.POP) depth--;
    } while (depth > 0);
  }

  #scalar(event: ScalarEvent): string | null {
    const value = getScalarValue(this.text, event);
    return event.style === SCALAR_STYLE.PLAIN && /^(?:|~|null|Null|NULL)$/.test(value) ? null : value;
  }

  #takeEnd(): boolean {
    const event = this.events[this.#next];
    if (event !== undefined && event.type !== EVENT_ID.POP) return false;
    this.#next++;
    return true;
  }

  #offsetOf(event: Event | undefined, emptyAt: number): number {
    const offset = event && startOffset(event);
    return offset === undefined ? emptyAt : this.begin + offset;
  }

  #addIssue(path: ConfigPath, offset: number, message: string): void {
    this.#issues.push({ path, offset, message });
  }
}

function unsupportedFeature(event: Event | undefined): string | undefined {
  if (event?.type === EVENT_ID.ALIAS) return 'aliases (*name) are not supported; write the value out';
  if (event === undefined || !('tagStart' in event) || event.tagStart < 0) return undefined;
  return 'tags (!name) are not supported; write the value alone';
}

/** In the text; undefined for a value that is not written. */
function startOffset(event: Event): number | undefined {
  if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return undefined;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  if (event.valueStart < 0) return undefined;
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? event.valueStart - 1 : event.valueStart;
}

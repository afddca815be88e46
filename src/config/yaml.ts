import { EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from '../text/yaml.js';
import type { Event, ScalarEvent } from '../text/yaml.js';
import type { Entry, ListNode, MapNode, Path, YamlNode } from './node.js';
import type { Finding } from './positions.js';

/** What a YAML text holds; `root` is undefined when it holds nothing, or is not YAML (then there is a finding). */
export interface YamlText {
  readonly root: YamlNode | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reads a YAML text of one document into nodes that know their place. A repeated key is a finding, and its first value
 * stands. Aliases and tags are findings too: a configuration needs neither, and aliases can make a small file huge.
 */
export function readYaml(text: string): YamlText {
  try {
    return new Reader(text, parseEvents(text, {})).read();
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const at = error.mark?.position ?? 0;
    return { root: undefined, findings: [{ path: [], at, message: `this is not YAML: ${error.reason}` }] };
  }
}

class Reader {
  readonly #findings: Finding[] = [];
  #next = 0;

  constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
  ) {}

  read(): YamlText {
    if (this.#take() === undefined) return { root: undefined, findings: [] };
    const root = this.#node([], 0);
    this.#take();
    if (this.#take() !== undefined) {
      this.#find([], startOf(this.#take(), this.text.length), 'a second document begins here; one file holds one');
    }
    return { root, findings: this.#findings };
  }

  #take(): Event | undefined {
    return this.events[this.#next++];
  }

  /** `emptyAt` is the place of a value that is not written, which is that of its key. */
  #node(path: Path, emptyAt: number): YamlNode {
    const event = this.#take();
    const node = this.#content(event, path, startOf(event, emptyAt));
    const problem = problemOf(event);
    if (problem !== undefined) this.#find(path, node.at, problem);
    return node;
  }

  #content(event: Event | undefined, path: Path, at: number): YamlNode {
    if (event?.type === EVENT_ID.MAPPING) return this.#mapping(path, at);
    if (event?.type === EVENT_ID.SEQUENCE) return this.#sequence(path, at);
    if (event?.type === EVENT_ID.SCALAR) return { kind: 'scalar', at, value: this.#scalar(event) };
    return { kind: 'unusable', at };
  }

  #sequence(path: Path, at: number): ListNode {
    const items: YamlNode[] = [];
    while (!this.#closes()) items.push(this.#node([...path, items.length], at));
    return { kind: 'list', at, items };
  }

  #mapping(path: Path, at: number): MapNode {
    const entries = new Map<string, Entry>();
    while (!this.#closes()) {
      const keyAt = startOf(this.events[this.#next], at);
      const key = this.#key(path, keyAt);
      const value = this.#node([...path, key ?? '?'], keyAt);
      if (key === undefined) continue;
      if (entries.has(key)) this.#find([...path, key], keyAt, 'this key is here for the second time');
      else entries.set(key, { keyAt, value });
    }
    return { kind: 'map', at, entries };
  }

  #key(path: Path, keyAt: number): string | undefined {
    const event = this.events[this.#next];
    if (event?.type === EVENT_ID.SCALAR && problemOf(event) === undefined) {
      this.#next++;
      return getScalarValue(this.text, event);
    }
    this.#find(path, keyAt, 'a key must be plain text');
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

  /** Whether the collection ends here; steps over its end. */
  #closes(): boolean {
    const event = this.events[this.#next];
    if (event !== undefined && event.type !== EVENT_ID.POP) return false;
    this.#next++;
    return true;
  }

  #find(path: Path, at: number, message: string): void {
    this.#findings.push({ path, at, message });
  }
}

function problemOf(event: Event | undefined): string | undefined {
  if (event?.type === EVENT_ID.ALIAS) return 'aliases (*name) are not read here; write the value out';
  if (event === undefined || !('tagStart' in event) || event.tagStart < 0) return undefined;
  return 'tags (!name) are not read here; write the value alone';
}

function startOf(event: Event | undefined, emptyAt: number): number {
  if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return emptyAt;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event.type !== EVENT_ID.SCALAR) return event.start;
  if (event.valueStart < 0) return emptyAt;
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? event.valueStart - 1 : event.valueStart;
}

import type { PropertyPath } from '../../source/dialect/document/property-path.js';

/** A value that an expression has read, with its place. */
export interface PropertyRead {
  readonly path: PropertyPath;
  /** Undefined: the entry does not have it. */
  readonly value: unknown;
}

/** Names that the JMESPath library and `JSON.stringify` look up in any object. */
const INTERNAL_NAMES: ReadonlySet<string> = new Set(['expref', 'toJSON']);

/** Records which values of the entries are read, by any expression. */
export class ReadRecorder {
  /** Names of the properties that were read, by their object. */
  private readonly readNames = new WeakMap<object, Set<string>>();
  /** Objects and lists that were used as a whole. */
  private readonly wholes = new WeakSet();

  /**
   * Evaluates an expression over a view of an entry that records each access. Returns the values that were read, in
   * this order: scalars, empty or absent values, and objects and lists that the result contains as a whole.
   */
  record(entry: object, evaluate: (view: unknown) => unknown): readonly PropertyRead[] {
    const recording = new Recording((target, name) => {
      this.noteRead(target, name);
    });
    const result = evaluate(recording.view(entry, []));
    for (const { target, path } of recording.findViews(result)) {
      this.wholes.add(target);
      recording.reads.push({ path, value: target });
    }
    return recording.reads;
  }

  /** Whether a property of an object was read. */
  isRead(target: object, name: string): boolean {
    return this.readNames.get(target)?.has(name) === true;
  }

  /** Whether an object or list was used as a whole. */
  isWholeRead(target: object): boolean {
    return this.wholes.has(target);
  }

  private noteRead(target: object, name: string): void {
    const names = this.readNames.get(target);
    if (names === undefined) this.readNames.set(target, new Set([name]));
    else names.add(name);
  }
}

/** An object or list of an entry, with its place. */
interface PlacedObject {
  readonly target: object;
  readonly path: PropertyPath;
}

/** The accesses during one evaluation. */
class Recording {
  readonly reads: PropertyRead[] = [];
  private readonly places = new Map<object, PlacedObject>();

  constructor(private readonly onRead: (target: object, name: string) => void) {}

  /** Creates a view of an object or list, in which the objects and lists inside are views, too. */
  view(target: object, path: PropertyPath): object {
    const view = new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        return typeof name === 'string' && isOwnData(target, name) ? this.read({ target, path }, name, value) : value;
      },
    });
    this.places.set(view, { target, path });
    return view;
  }

  /** The views that a result contains. */
  findViews(result: unknown): readonly PlacedObject[] {
    if (typeof result !== 'object' || result === null) return [];
    const place = this.places.get(result);
    return place === undefined ? Object.values(result).flatMap((inner) => this.findViews(inner)) : [place];
  }

  private read({ target, path }: PlacedObject, name: string, value: unknown): unknown {
    this.onRead(target, name);
    const inner = [...path, Array.isArray(target) ? Number(name) : name];
    const isContainer = typeof value === 'object' && value !== null;
    if (isContainer && Object.keys(value).length > 0) return this.view(value, inner);
    this.reads.push({ path: inner, value });
    return value;
  }
}

/** Whether a name is data of the entry, or data that it lacks, rather than a method of lists and objects. */
function isOwnData(target: object, name: string): boolean {
  if (Array.isArray(target)) return /^\d+$/.test(name);
  return Object.hasOwn(target, name) || !(name in target || INTERNAL_NAMES.has(name));
}

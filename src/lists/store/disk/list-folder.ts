import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownNumbers } from '../../../config/source-number-changes.js';
import type { Publish } from '../../../events/event.js';
import type { Clock } from '../../../model/clock.js';
import type { RecordSet } from '../../../records/record-set.js';
import { getErrorMessage } from '../../../text/get-error-message.js';
import type { ListDisk, StoredList } from '../../stored-list.js';
import { getErrorCode, removeTemporary } from './files.js';
import { FolderLock } from './folder-lock.js';
import { fileNameOf, readHead, readStoredList, writeList } from './list-file.js';
import type { ListSource } from './list-file.js';
import { SOURCES_FILE, readSources, writeSources } from './sources-file.js';

/** In milliseconds, for lists whose records are unchanged. */
const TIMES_INTERVAL_MS = 60_000;

/** The lists that were confirmed longest ago are deleted first. */
const MAX_BYTES = 2 * 2 ** 30;

/** `<code>-<hash>.list` */
const CODE = /^([a-z0-9-]+)-[0-9a-f]{16}\.list$/;
const TEMPORARY = /^(?:sources\.json|[a-z0-9-]+-[0-9a-f]{16}\.list)\.tmp$/;

interface ListFolderOptions {
  readonly path: string;
  readonly configuration: string;
  /** Of all sources of the configuration. */
  readonly numbers: KnownNumbers;
  readonly clock: Clock;
  readonly publish: Publish;
  /** Default: 2 GiB. */
  readonly maxBytes?: number;
}

export interface SaveFailure {
  /** In milliseconds since 1970. */
  readonly since: number;
  readonly lists: number;
  readonly error: string;
}

interface SavedList {
  readonly source: ListSource;
  readonly verifiedAt: number;
  readonly bytes: number;
  /** Absent: not read yet. */
  readonly set?: WeakRef<RecordSet>;
}

/** Undefined: the file is to be deleted. */
type Change = { readonly source: ListSource; readonly list: StoredList } | undefined;

/**
 * A folder with a file for each public list (operation 2.5.3), and `sources.json`. While another process has it locked,
 * lists are read, but nothing is written.
 *
 * A list has the configuration under which it got its date. `sources.json` has the one in force, and since when: for
 * it, a list of another configuration is one that changed then. It is written before any list, so that no date is saved
 * of a configuration that a later process does not know of.
 */
export class ListFolder {
  private readonly saved = new Map<string, SavedList>();
  private readonly pending = new Map<string, Change>();
  /** Unchanged records with other times. */
  private readonly later = new Map<string, Change>();
  /** Lists whose last write failed. */
  private readonly unsaved = new Set<string>();
  private readonly lock: FolderLock;
  private queue: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private failure: Omit<SaveFailure, 'lists'> | undefined;
  private isOwner = false;
  private isScanned = false;
  private isClosed = false;
  private configuration: string;
  /** When the configuration came into force, in milliseconds since 1970. */
  private since = 0;
  private numbers: KnownNumbers;
  private writtenNumbers: KnownNumbers | undefined;
  private hadNothing = false;

  private constructor(private readonly options: ListFolderOptions) {
    this.lock = new FolderLock(this.pathOf('lists.lock'));
    ({ configuration: this.configuration, numbers: this.numbers } = options);
  }

  /** The folder need not exist. Never rejects: what cannot be read or written is logged. */
  static async open(options: ListFolderOptions): Promise<ListFolder> {
    const folder = new ListFolder(options);
    const entries = await readdir(options.path).catch((error: unknown) => [getErrorCode(error)]);
    folder.hadNothing = entries.length === 0 || entries[0] === 'ENOENT';
    const readOnly = async (error: unknown): Promise<never> => {
      await folder.scan().catch(() => undefined);
      throw error;
    };
    await folder.attempt(() => folder.own().catch(readOnly));
    folder.drop((code) => !options.numbers.has(code));
    return folder;
  }

  /**
   * An earlier process had the folder. It may have served a list that is not here: it was forgotten, had no room, was not
   * saved yet, or is damaged.
   */
  get hasLostLists(): boolean {
    return !this.hadNothing;
  }

  get saveFailure(): SaveFailure | undefined {
    return this.failure && { ...this.failure, lists: this.unsaved.size };
  }

  /** Saves and forgets only while the configuration of the source is in force. */
  forSource(source: ListSource): ListDisk {
    const isInForce = (): boolean => source.configuration === this.configuration && !this.isClosed;
    return {
      save: (list) => {
        if (isInForce()) this.save(source, list);
      },
      forget: () => {
        if (isInForce()) this.drop((code) => code === source.code);
      },
      load: () => this.load(source),
    };
  }

  /** Another configuration is in force from now on. Lists of other sources than its own are deleted. Never rejects. */
  async reconfigure(
    next: Pick<ListFolderOptions, 'configuration' | 'numbers'> & { codes: ReadonlySet<string> },
  ): Promise<void> {
    if (this.isClosed) return;
    if (next.configuration !== this.configuration) this.since = Math.max(this.since, this.options.clock.now());
    this.configuration = next.configuration;
    this.numbers = new Map([...this.numbers, ...next.numbers]);
    this.drop((code) => !next.codes.has(code));
    await this.enqueue(() => this.attempt(() => this.own()));
  }

  /** Writes what is pending, and gives up the lock. Never rejects. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.writeLater();
    await this.enqueue(() => this.lock.release());
  }

  private save(source: ListSource, list: StoredList): void {
    const { resource, parameters, pushDown, nativeId } = list.query;
    // It does not have all records of its parameters.
    if (pushDown !== undefined || nativeId !== undefined) return;
    const name = fileNameOf(source.code, resource.name, parameters);
    const before = this.pending.has(name) ? this.pending.get(name)?.list.set : this.saved.get(name)?.set?.deref();
    if (before !== list.set) return this.write(name, { source, list });
    this.later.set(name, { source, list });
    this.timer ??= setTimeout(() => this.writeLater(), TIMES_INTERVAL_MS).unref();
  }

  private drop(isDropped: (code: string) => boolean): void {
    for (const name of [this.saved, this.unsaved, this.pending, this.later].flatMap((some) => [...some.keys()])) {
      if (!isDropped(CODE.exec(name)?.[1] ?? '')) continue;
      this.unsaved.delete(name);
      this.write(name, undefined);
    }
  }

  private writeLater(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [name, change] of this.later) this.write(name, change);
  }

  private write(name: string, change: Change): void {
    this.later.delete(name);
    this.pending.set(name, change);
    void this.enqueue(async () => {
      // A later change of the list has replaced it.
      if (this.pending.get(name) !== change) return;
      await this.attempt(() => this.apply(name, change), change && name);
      if (this.pending.get(name) === change) this.pending.delete(name);
    });
  }

  /** One work at a time, in the order of the calls. */
  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async apply(name: string, change: Change): Promise<void> {
    await this.own();
    if (change === undefined) return this.delete(name);
    const { source, list } = change;
    const bytes = await writeList(this.pathOf(name), source, list);
    this.saved.set(name, { source, verifiedAt: list.verifiedAt, bytes, set: new WeakRef(list.set) });
    let total = [...this.saved.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [oldest, one] of this.oldestFirst()) {
      if (total <= (this.options.maxBytes ?? MAX_BYTES)) return;
      await this.delete(oldest);
      total -= one.bytes;
    }
  }

  private async delete(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
    this.saved.delete(name);
  }

  private oldestFirst(): readonly (readonly [name: string, list: SavedList])[] {
    return [...this.saved].sort(([, one], [, other]) => one.verifiedAt - other.verifiedAt);
  }

  /** Rejects while another process has the folder locked, or it cannot be written. */
  private async own(): Promise<void> {
    // The folder may have been deleted, with what this process had written.
    const isCreated = (await mkdir(this.options.path, { recursive: true, mode: 0o700 })) !== undefined;
    const wasOwner = this.isOwner && !isCreated;
    const holder = await this.lock.acquire();
    this.isOwner = holder === undefined;
    if (holder !== undefined) throw new Error(`in use by ${holder}`);
    if (!wasOwner || !this.isScanned) await this.scan();
    const { configuration, since, numbers } = this;
    if (this.writtenNumbers === numbers) return;
    await writeSources(this.options.path, { configuration, since, numbers });
    this.writtenNumbers = numbers;
  }

  /** Only the owner of the folder changes files in it. */
  private async scan(): Promise<void> {
    const { path, clock } = this.options;
    this.isScanned = false;
    this.saved.clear();
    const sources = await readSources(path).catch((error: unknown) => this.setAside(SOURCES_FILE, error));
    const isSame = sources?.configuration === this.configuration;
    this.since = isSame ? sources.since : Math.max(this.since, sources?.since ?? 0, clock.now());
    this.numbers = new Map([...(sources?.numbers ?? []), ...this.numbers]);
    this.writtenNumbers = undefined;
    for (const file of await readdir(path)) {
      // One that cannot be removed is reported when its list is written, and must not hide the lists after it.
      if (this.isOwner && TEMPORARY.test(file)) await removeTemporary(this.pathOf(file)).catch(() => undefined);
      if (!file.endsWith('.list')) continue;
      const head = await readHead(this.pathOf(file)).catch((error: unknown) => this.setAside(file, error));
      if (head === undefined) continue;
      const { size: bytes } = await stat(this.pathOf(file));
      this.saved.set(file, { source: head.source, verifiedAt: head.list.verifiedAt, bytes });
    }
    this.isScanned = true;
  }

  private async *load(source: ListSource): AsyncGenerator<StoredList, void, undefined> {
    for (const [name] of this.oldestFirst()) {
      const list = await this.enqueue(() => this.read(name, source));
      if (list !== undefined) yield list;
    }
  }

  private async read(name: string, source: ListSource): Promise<StoredList | undefined> {
    const saved = this.saved.get(name);
    if (saved === undefined || !isOf(saved.source, source)) return undefined;
    const found = await readStoredList(this.pathOf(name)).catch((error: unknown) => this.setAside(name, error));
    // Race: the process that has the folder locked may have written another one.
    if (found === undefined || !isOf(found.source, source)) return undefined;
    const { list } = found;
    this.saved.set(name, { ...saved, set: new WeakRef(list.set) });
    const { configuration, fingerprints } = found.source;
    const isSameContext = fingerprints.context === source.fingerprints.context;
    // The same pages may give other records.
    const other = { isOutdated: true, validators: undefined };
    const loaded = isSameContext ? list : { ...list, ...other };
    if (configuration === this.configuration) return loaded;
    const changedAt = Math.max(Math.floor(this.since / 1_000) * 1_000, list.changedAt ?? 0) + 1_000;
    return { ...loaded, changedAt };
  }

  /** Keeps the file for the operator, until the next one with its name. */
  private async setAside(name: string, error: unknown): Promise<undefined> {
    const { path: folder, publish } = this.options;
    this.saved.delete(name);
    const file = `${name}.damaged`;
    const keep = async (): Promise<object> => rename(this.pathOf(name), this.pathOf(file)).then(() => ({ file }));
    const kept = this.isOwner ? await keep().catch(() => undefined) : undefined;
    const facts = { folder, ...kept, error: getErrorMessage(error) };
    publish({ type: 'saved snapshot is damaged and not used', ...facts });
  }

  /** Logs only the first of several failures. */
  private async attempt(work: () => Promise<void>, saved = ''): Promise<void> {
    const { path: folder, publish, clock } = this.options;
    try {
      await work();
      this.unsaved.delete(saved);
      if (this.failure !== undefined && this.unsaved.size === 0) {
        this.failure = undefined;
        publish({ type: 'snapshots are saved again', folder });
      }
    } catch (reason) {
      const error = getErrorMessage(reason);
      if (saved !== '') this.unsaved.add(saved);
      if (this.failure === undefined) publish({ type: 'snapshots cannot be saved', folder, error });
      this.failure = { since: this.failure?.since ?? clock.now(), error };
    }
    publish({ type: 'snapshots written', unsaved: this.unsaved.size });
  }

  private pathOf(file: string): string {
    return join(this.options.path, file);
  }
}

/** Whether the list is one of the source, and its records are read as it states now. */
function isOf({ code, number, fingerprints }: ListSource, source: ListSource): boolean {
  const isSame = code === source.code && number === source.number;
  return isSame && fingerprints.definition === source.fingerprints.definition;
}

import { isDeepStrictEqual } from 'node:util';
import { findNumberChanges, listNumbers } from '../../config/source-number-changes.js';
import type { KnownNumbers } from '../../config/source-number-changes.js';
import type { Config } from '../../config/config.js';
import { formatConfigError, loadConfig } from '../../config/load-config.js';
import type { LoadedConfig } from '../../config/load-config.js';
import { sampleNames } from '../../demo/start-sample-repositories.js';
import type { Publish } from '../../events/event.js';
import { systemClock } from '../../model/clock.js';
import { formatIsoTimestamp } from '../../text/date.js';
import { getErrorMessage } from '../../text/get-error-message.js';
import type { ServerProcess } from './server-process.js';

type ReloadTrigger = 'SIGHUP' | 'file';

interface ReloaderOptions {
  readonly file: string;
  readonly server: ServerProcess;
  /** Of the sources before this process. */
  readonly knownNumbers: KnownNumbers;
  readonly publish: Publish;
}

/** One reload after the other (operation 6.2). */
export class Reloader {
  private readonly knownNumbers: Map<string, number>;
  private lastReload: Promise<void> = Promise.resolve();
  private waitingTrigger: ReloadTrigger | undefined;
  /** At the last attempt: a change that leaves the same errors is not logged again. */
  private lastErrors: readonly string[] = [];

  constructor(private readonly options: ReloaderOptions) {
    this.knownNumbers = new Map(options.knownNumbers);
    this.noteNumbers(options.server.current.config);
  }

  /** Requests that arrive while one waits are satisfied by it. */
  request(trigger: ReloadTrigger): void {
    const isWaiting = this.waitingTrigger !== undefined;
    if (trigger === 'SIGHUP' || !isWaiting) this.waitingTrigger = trigger;
    if (!isWaiting) this.lastReload = this.lastReload.then(() => this.reload());
  }

  private async reload(): Promise<void> {
    const trigger = this.waitingTrigger ?? 'file';
    this.waitingTrigger = undefined;
    const loaded = await this.load();
    if ('errors' in loaded) this.reject(trigger, loaded.errors);
    else await this.replace(trigger, loaded);
  }

  private async load(): Promise<LoadedConfig | { readonly errors: readonly string[] }> {
    const { file } = this.options;
    const loaded = await loadConfig(file, process.env, sampleNames);
    const errors = 'config' in loaded ? findNumberChanges(loaded, this.knownNumbers) : loaded.errors;
    return 'config' in loaded && errors.length === 0
      ? loaded
      : { errors: errors.map((error) => formatConfigError(file, error)) };
  }

  private async replace(trigger: ReloadTrigger, { config }: LoadedConfig): Promise<void> {
    const { server, publish } = this.options;
    const before = server.current.config;
    if (isDeepStrictEqual(before, config)) {
      const isLogged = trigger === 'SIGHUP' || this.lastErrors.length > 0;
      this.succeed();
      publish({ type: 'configuration unchanged', at: systemClock.now(), trigger, isLogged });
      return;
    }
    try {
      if (!(await server.replace(config))) return;
    } catch (error) {
      this.reject(trigger, [getErrorMessage(error)]);
      return;
    }
    this.noteNumbers(config);
    this.succeed();
    const [sources, changes] = [config.sources.length, compareSources(before, config)];
    publish({ type: 'configuration put in force', at: systemClock.now(), trigger, sources, changes });
  }

  private reject(trigger: ReloadTrigger, errors: readonly string[]): void {
    const { server, publish } = this.options;
    server.failedReload = { at: formatIsoTimestamp(systemClock.now()), errors };
    const isLogged = trigger !== 'file' || !isDeepStrictEqual(errors, this.lastErrors);
    this.lastErrors = errors;
    publish({ type: 'configuration not reloaded: the one in force remains', trigger, errors, isLogged });
  }

  private succeed(): void {
    this.lastErrors = [];
    this.options.server.failedReload = undefined;
  }

  private noteNumbers(config: Config): void {
    for (const [code, number] of listNumbers(config)) this.knownNumbers.set(code, number);
  }
}

/** The codes of differing sources. Empty lists are absent. */
function compareSources(before: Config, after: Config): Readonly<Record<string, readonly string[]>> {
  const [earlier, later] = [before, after].map(
    ({ sources }) => new Map(sources.map((source) => [source.code, source])),
  );
  if (earlier === undefined || later === undefined) return {};
  const added = [...later.keys()].filter((code) => !earlier.has(code));
  const removed = [...earlier.keys()].filter((code) => !later.has(code));
  const changed = [...later.keys()].filter(
    (code) => earlier.has(code) && !isDeepStrictEqual(earlier.get(code), later.get(code)),
  );
  return {
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
    ...(changed.length > 0 && { changed }),
  };
}

import type { Log } from './gateway/program.js';

const ignore = (): void => undefined;

/** A log that writes nothing. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore, audit: ignore };

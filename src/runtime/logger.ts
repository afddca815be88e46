import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream } from 'pino';
import type { Log, LogLevel } from '../model/log.js';

/** The log of the process, whose level can be changed. */
export interface ProcessLog extends Log {
  /** Sets the least severe level of the lines that are written from now on (operation 2.3.8). */
  setLevel(level: LogLevel): void;
}

/**
 * Creates the log of the process (operation 5.1): JSON lines on standard output, or on another open file descriptor;
 * readable text where that is a terminal. Lines are written synchronously: an asynchronous destination loses the last
 * lines when the process is stopped. The level is `info` until it is set. Each line of a worker has its number.
 */
export async function createLog(terminal: boolean, dest = 1, worker?: number): Promise<ProcessLog> {
  const options = { base: worker === undefined ? null : { worker }, timestamp: stdTimeFunctions.isoTime };
  const destination = terminal ? await createPrettyDestination(dest) : pino.destination({ dest, sync: true });
  const log = pino(options, destination);
  const auditLog = pino(options, destination);
  return {
    debug: (fields, message) => {
      log.debug(fields, message);
    },
    info: (fields, message) => {
      log.info(fields, message);
    },
    warn: (fields, message) => {
      log.warn(fields, message);
    },
    error: (fields, message) => {
      log.error(fields, message);
    },
    audit: (fields, message) => {
      auditLog.info(fields, message);
    },
    setLevel: (level) => {
      log.level = level;
    },
  };
}

/** Loaded on demand: most processes do not write to a terminal. */
async function createPrettyDestination(destination: number): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ sync: true, colorize: true, destination });
}

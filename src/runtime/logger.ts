import { pino, stdTimeFunctions } from 'pino';
import type { DestinationStream } from 'pino';
import type { Log, LogLevel } from '../model/log.js';
import { LogOutput } from './log-output.js';

export interface ProcessLog extends Log {
  /** Of lines from now on (operation 2.3.8). */
  setLevel(level: LogLevel): void;
  /** For each line from now on that cannot be written (operation 5.1). */
  onDropped(listener: () => void): void;
}

/**
 * JSON lines on standard output, or on another open file descriptor; readable text where that is a terminal. The
 * level is `info` until it is set.
 */
export async function createLog(
  terminal: boolean,
  // Race: a full pipe would block this thread. It does not once Node.js has created `process.stdout`.
  descriptor: number = process.stdout.fd,
): Promise<ProcessLog> {
  const options = { base: null, timestamp: stdTimeFunctions.isoTime };
  let countDropped = (): void => undefined;
  const output = new LogOutput(descriptor, {
    onDropped: () => {
      countDropped();
    },
    onResumed: (lines) => {
      log.warn({ lines }, 'lines of the log were dropped');
    },
  });
  const destination = terminal ? await createPrettyDestination(output) : output;
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
    onDropped: (listener) => {
      countDropped = listener;
    },
  };
}

/** Loaded on demand: most processes do not write to a terminal. */
async function createPrettyDestination(output: DestinationStream): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ colorize: true });
  return {
    write: (line) => {
      output.write(format(line));
    },
  };
}

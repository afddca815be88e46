import { pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import type { Log } from '../model/log.js';

/**
 * The process's log: JSON lines on standard output, readable text when that is a terminal (operation.md). Written synchronously,
 * for an asynchronous destination loses its last lines when the process is told to stop.
 */
export function createLog(terminal: boolean): Log {
  const options = { base: null, timestamp: stdTimeFunctions.isoTime };
  return terminal
    ? pino(options, pretty({ sync: true, colorize: true }))
    : pino(options, pino.destination({ dest: 1, sync: true }));
}

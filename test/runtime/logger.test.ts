import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logLevels } from '../../src/model/log.js';
import type { Log, LogLevel } from '../../src/model/log.js';
import { createLog } from '../../src/runtime/logger.js';

let folder = '';
let file = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-log-'));
  file = openSync(join(folder, 'log'), 'a');
});
afterEach(() => {
  closeSync(file);
  rmSync(folder, { recursive: true });
});

/** The lines in the file immediately after `write`: the log does not buffer. */
async function written(write: (log: Log) => void, terminal = false): Promise<string[]> {
  write(await createLog(terminal, file));
  return readFileSync(join(folder, 'log'), 'utf8').split('\n').slice(0, -1);
}

describe('createLog', () => {
  it('writes a line of JSON: level, time, facts, message', async () => {
    const [line = ''] = await written((log) => {
      log.info({ path: '/a"b', status: 200, absent: undefined }, 'request');
    });
    expect(JSON.parse(line)).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      path: '/a"b',
      status: 200,
      msg: 'request',
    });
  });

  it('writes the exact time of each line, however many lines came before it', async () => {
    const log = await createLog(false, file);
    const begun = Date.now();
    for (let at = 0; at < 100; at += 1) log.info({}, 'busy');
    await new Promise((resolve) => setTimeout(resolve, 5));
    const later = Date.now();
    const lines = await written(() => {
      log.info({}, 'later');
    });
    const [last = ''] = lines.slice(-1);
    const { time } = JSON.parse(last) as { time: string };
    expect(later).toBeGreaterThan(begun);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(later);
  });

  it('writes the lines of its level and of more severe ones, and the audit log at every level', async () => {
    const messages = async (level: LogLevel): Promise<unknown[]> => {
      const log = await createLog(false, file);
      const before = readFileSync(join(folder, 'log'), 'utf8').length;
      log.setLevel(level);
      for (const severity of logLevels) log[severity]({}, severity);
      log.audit({}, 'audit');
      const lines = readFileSync(join(folder, 'log'), 'utf8').slice(before).split('\n').slice(0, -1);
      return lines.map((line) => (JSON.parse(line) as { msg: unknown }).msg);
    };
    expect(await messages('debug')).toEqual(['debug', 'info', 'warn', 'error', 'audit']);
    expect(await messages('info')).toEqual(['info', 'warn', 'error', 'audit']);
    expect(await messages('warn')).toEqual(['warn', 'error', 'audit']);
    expect(await messages('error')).toEqual(['error', 'audit']);
  });

  it('writes readable text for a terminal', async () => {
    const lines = await written((log) => {
      log.info({ status: 200, query: 'teams' }, 'request');
      log.warn({ source: 'one' }, 'source suspended');
    }, true);
    const text = lines.join('\n');
    expect(text).toMatch(/request[^]*status[^]*200[^]*source suspended/);
    expect(text).toMatch(/query[^]*teams/);
  });
});

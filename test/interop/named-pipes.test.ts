import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanUp, serve } from '../cli/rollcall-process.js';
import { programs, run } from './programs.js';

const PORTS = { server: { port: 0 }, admin: { port: 0 } };

let folder = '';
let pipe = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-pipe-'));
  pipe = join(folder, 'pipe');
  expect(run(programs.mkfifo, [pipe]).status).toBe(0);
});
afterEach(async () => {
  await cleanUp();
  await rm(folder, { recursive: true });
});

describe('a named pipe', () => {
  it('as a secret holds up the start, and SIGHUP meanwhile is no end of the process', async () => {
    const credentials = { public: { bearer: `\${file:${pipe}}` } };
    const alpha = { number: 1, directory: 'http://127.0.0.1:9/', credentials };
    const program = await serve({ ...PORTS, sources: { alpha } });
    // It can be opened when the program has opened it, too.
    const writer = await open(pipe, 'w');
    program.kill('SIGHUP');
    await writer.writeFile('abc');
    await writer.close();
    expect(await program.line('listening')).toBeDefined();
  });

  it('as the state file is neither read nor replaced', async () => {
    const alpha = { number: 1, directory: 'http://127.0.0.1:9/' };
    const program = await serve({ ...PORTS, cache: { state: pipe }, sources: { alpha } });
    expect(await program.line('state file cannot be read and is replaced')).toBeDefined();
    await program.line('listening');
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
    expect(program.lines.map(({ msg }) => msg)).toContain('state file cannot be written');
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });
});

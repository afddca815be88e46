import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanUp, serve } from '../cli/rollcall-process.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
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

  it.each(['lists.lock', 'sources.json', 'alpha-0123456789abcdef.list'])(
    'as %s in the folder of lists does not hold up the start',
    async (name) => {
      const disk = join(folder, 'snapshots');
      await mkdir(disk);
      expect(run(programs.mkfifo, [join(disk, name)]).status).toBe(0);
      const alpha = { number: 1, directory: 'http://127.0.0.1:9/' };
      const program = await serve({ ...PORTS, cache: { disk }, sources: { alpha } });
      await program.line('listening');
      program.kill('SIGTERM');
      expect(await program.exit).toBe(0);
      expect(JSON.stringify(program.lines)).toContain(`${join(disk, name)} is not a regular file`);
    },
  );

  it('as a saved list does not hold up the start, and the list is fetched again', async () => {
    const upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'Acorn CERT' }]));
    const disk = join(folder, 'snapshots');
    const config = { ...PORTS, cache: { disk }, sources: { alpha: { number: 1, directory: upstream.address } } };
    const first = await serve(config);
    await first.line('ready');
    first.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    const list = join(disk, (await readdir(disk)).find((name) => name.endsWith('.list')) ?? 'missing');
    await rm(list);
    expect(run(programs.mkfifo, [list]).status).toBe(0);
    const program = await serve(config);
    expect(await program.line('saved snapshot is damaged and not used')).toMatchObject({
      error: `${list} is not a regular file`,
    });
    expect(await program.line('source drained')).toMatchObject({ source: 'alpha', records: 1 });
    await upstream.close();
  });
});

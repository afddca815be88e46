import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../../src/cli/main.js';
import { freePort } from '../../support/free-port.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { cleanUp, serve } from '../rollcall-process.js';
import type { Program } from '../rollcall-process.js';
import { startServer, stopServers } from './start-server.js';
import { waitFor } from '../../support/wait-for.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await cleanUp();
  await stopServers();
  await Promise.all(closers.splice(0).map((close) => close()));
});

const ANY_PORT = { port: 0 };

/** Starts a repository with one team, which is closed after the test. */
async function startRepository(name: string): Promise<UpstreamServer & { wait: Promise<void>; received: number }> {
  const state: { wait: Promise<void>; received: number } = { wait: Promise.resolve(), received: 0 };
  const handler: RequestHandler = (request, response) => {
    state.received += 1;
    void state.wait.then(() => {
      response.setHeader('Content-Type', 'application/json');
      const isFirst = request.query.get('offset') === '0';
      response.end(JSON.stringify(isFirst ? [{ 'short-team-name': name, 'last-modified': '2020-01-01' }] : []));
    });
  };
  const upstream = await startUpstream(handler);
  closers.push(() => upstream.close());
  return Object.assign(state, upstream);
}

function configure(sources: Readonly<Record<string, object>>): object {
  return { server: ANY_PORT, admin: ANY_PORT, sources };
}

/** A source that is asked again for each request. */
const EXPIRING = { ttl: '1ms', 'stale-while-revalidate': '0s' };

/** Replaces the configuration file in one step, as an editor does. */
async function replaceFile({ file }: Program, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

async function startServing(config: object): Promise<{ program: Program; directory: string; admin: string }> {
  const program = await serve(config);
  const line = await program.line('listening');
  await program.line('ready');
  return { program, directory: `${String(line['public'])}/directory/v1/teams`, admin: String(line['admin']) };
}

async function names(url: string): Promise<unknown> {
  const response = await fetch(`${url}?fields=short-team-name&envelope=0`);
  const records: unknown = await response.json();
  return Array.isArray(records) ? records.map((record: Record<string, unknown>) => record['short-team-name']) : records;
}

describe('reload', () => {
  test('takes a new source without fetching the others again, when the file is replaced', async () => {
    const [alpha, beta] = await Promise.all([startRepository('CERT ALPHA'), startRepository('CERT BETA')]);
    const sources = { alpha: { number: 1, directory: alpha.address } };
    const { program, directory } = await startServing(configure(sources));
    const requests = alpha.received;
    const both = { ...sources, beta: { number: 2, directory: beta.address } };
    await replaceFile(program, JSON.stringify(configure(both)));
    expect(await program.line('configuration reloaded')).toMatchObject({
      trigger: 'file',
      sources: 2,
      added: ['beta'],
    });
    expect(await names(directory)).toEqual(['CERT ALPHA', 'CERT BETA']);
    expect(alpha.received).toBe(requests);
  });

  test('takes a source of a file that is put into sources.d, and reports the errors of that file', async () => {
    const [alpha, beta] = await Promise.all([startRepository('CERT ALPHA'), startRepository('CERT BETA')]);
    const { program, directory } = await startServing(configure({ alpha: { number: 1, directory: alpha.address } }));
    const included = join(dirname(program.file), 'sources.d');
    await mkdir(included);
    const sources = (number: number): string =>
      JSON.stringify({ sources: { beta: { number, directory: beta.address } } });
    await writeFile(join(included, 'beta.yaml'), sources(1));
    expect(await program.line('configuration not reloaded: the one in force remains')).toMatchObject({
      errors: [expect.stringMatching(/sources\.d\/beta\.yaml:1:30: sources\.beta\.number: is the same as /)],
    });
    await writeFile(join(included, 'beta.yaml'), sources(2));
    expect(await program.line('configuration reloaded')).toMatchObject({ added: ['beta'] });
    expect(await names(directory)).toEqual(['CERT ALPHA', 'CERT BETA']);
  });

  test('takes the file of a ConfigMap, of which Kubernetes replaces a symbolic link', async () => {
    const [alpha, beta] = await Promise.all([startRepository('CERT ALPHA'), startRepository('CERT BETA')]);
    const { program, directory } = await startServing(configure({ alpha: { number: 1, directory: alpha.address } }));
    const folder = dirname(program.file);
    const project = async (version: string, address: string): Promise<void> => {
      await mkdir(join(folder, version));
      const text = JSON.stringify(configure({ alpha: { number: 1, directory: address } }));
      await writeFile(join(folder, version, basename(program.file)), text);
      await symlink(version, join(folder, '..data_tmp'));
      await rename(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    await project('..1', beta.address);
    await symlink(join('..data', basename(program.file)), join(folder, 'link'));
    await rename(join(folder, 'link'), program.file);
    await program.line('configuration reloaded');
    expect(await names(directory)).toEqual(['CERT BETA']);
    await project('..2', alpha.address);
    await program.line('configuration reloaded', 1);
    expect(await names(directory)).toEqual(['CERT ALPHA']);
  });

  test('dates every list at the reload, and not before', async () => {
    const [alpha, beta] = await Promise.all([startRepository('CERT ALPHA'), startRepository('CERT BETA')]);
    const sources = { alpha: { number: 1, directory: alpha.address }, beta: { number: 2, directory: beta.address } };
    const { replace, directory } = await startServer(configure(sources));
    const before = await fetch(`${directory}?source-name=alpha`);
    expect(before.headers.get('last-modified')).toBe('Wed, 01 Jan 2020 00:00:00 GMT');
    await replace(configure({ ...sources, beta: { ...sources.beta, ttl: '2h' } }));
    await waitFor(async () => {
      const after = await fetch(`${directory}?source-name=alpha`);
      expect(Date.parse(after.headers.get('last-modified') ?? '')).toBeGreaterThan(Date.parse('2026-01-01'));
    });
    const conditional = await fetch(`${directory}?source-name=alpha`, {
      headers: { 'If-Modified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' },
    });
    expect(conditional.status).toBe(200);
  });

  test('hides the keys in kept records of the directory interface, if they become for members only', async () => {
    const upstream = await startUpstream(
      dataUpstream({ teams: [{ id: 'a', team: 'A', 'pgp-id': '0x1234567812345678' }] }, { keys: 'public' }),
    );
    closers.push(() => upstream.close());
    const clients = [{ name: 'one', 'key-sha256': 'a'.repeat(64), access: 'members' }];
    const one = { number: 1, data: upstream.address, 'all-keys-public': true };
    const configureKeys = (pgp: string): object => ({ ...configure({ one }), access: { scopes: { pgp }, clients } });
    const { replace, directory } = await startServer(configureKeys('public'));
    expect(await (await fetch(directory)).text()).toContain('0x1234567812345678');
    await replace(configureKeys('members'));
    expect(await names(directory)).toEqual(['A']);
    expect(await (await fetch(directory)).text()).not.toContain('0x1234567812345678');
  });

  test('reports an invalid file with its errors in the log and at the admin port, and keeps the configuration in force', async () => {
    const alpha = await startRepository('CERT ALPHA');
    const sources = { alpha: { number: 1, directory: alpha.address } };
    const { program, directory, admin } = await startServing(configure(sources));
    await writeFile(program.file, 'sources:\n  alpha:\n    number: 1000\n');
    program.kill('SIGHUP');
    const line = await program.line('configuration not reloaded: the one in force remains');
    expect(line['errors']).toEqual([
      expect.stringMatching(/:2:3: sources\.alpha: /),
      expect.stringMatching(/:3:13: sources\.alpha\.number: /),
    ]);
    expect(await names(directory)).toEqual(['CERT ALPHA']);
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toContain('rollcall_config_last_reload_successful 0');
    for (const path of ['config', 'sources']) {
      const report: unknown = await (await fetch(`${admin}/${path}`)).json();
      expect(report).toMatchObject({
        failedReload: { at: expect.stringMatching(/^20\d\d-/) as unknown, errors: line['errors'] },
      });
      const page = await (await fetch(`${admin}/${path}?format=html`)).text();
      expect(page).toMatch(/The reload at 20\d\d-[^<]* failed\.[^]*:3:13: sources\.alpha\.number: /);
    }
    await replaceFile(program, JSON.stringify(configure(sources)));
    await program.line('configuration unchanged');
    for (const path of ['config', 'sources'])
      expect(await (await fetch(`${admin}/${path}`)).json()).not.toHaveProperty('failedReload');
  });

  test('refuses another number of a source, also after the source was removed, and at the next start', async () => {
    const [alpha, beta] = await Promise.all([startRepository('CERT ALPHA'), startRepository('CERT BETA')]);
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-numbers-'));
    closers.push(() => rm(folder, { recursive: true }));
    const sources = { alpha: { number: 1, directory: alpha.address }, beta: { number: 2, directory: beta.address } };
    const withDisk = (registered: Readonly<Record<string, object>>): object => ({
      ...configure(registered),
      cache: { disk: join(folder, 'snapshots') },
    });
    const { program, directory } = await startServing(withDisk(sources));
    await replaceFile(program, JSON.stringify(withDisk({ alpha: sources.alpha })));
    await program.line('configuration reloaded');
    const changed = withDisk({ ...sources, beta: { ...sources.beta, number: 7 } });
    await replaceFile(program, JSON.stringify(changed, undefined, 1));
    const line = await program.line('configuration not reloaded: the one in force remains');
    const error =
      /rollcall\.yaml:\d\d:14: sources\.beta\.number: is 7, but was 2, .*: set it back to 2, or give the source another code$/;
    expect(line['errors']).toEqual([expect.stringMatching(error)]);
    expect(await names(directory)).toEqual(['CERT ALPHA']);
    program.kill('SIGTERM');
    await program.exit;
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const code = await main(['serve', '--config', program.file]);
    const texts = printed.mock.calls.map(([text]) => String(text).trimEnd());
    printed.mockRestore();
    expect([code, texts]).toEqual([1, [expect.stringMatching(error)]]);
  });

  test('answers a request of before the reload from the sources of before', async () => {
    const [alpha, beta] = await Promise.all([startRepository('CERT ALPHA'), startRepository('CERT BETA')]);
    const { replace, directory } = await startServer(
      configure({ alpha: { number: 1, directory: alpha.address, ...EXPIRING } }),
    );
    let open = (): void => undefined;
    alpha.wait = new Promise((resolve) => (open = resolve));
    const before = alpha.received;
    const pending = names(directory);
    await waitFor(() => expect(alpha.received).toBeGreaterThan(before));
    await replace(configure({ beta: { number: 2, directory: beta.address } }));
    expect(await names(directory)).toEqual(['CERT BETA']);
    open();
    expect(await pending).toEqual(['CERT ALPHA']);
  });

  test('gives no date to a response that another configuration has replaced meanwhile', async () => {
    const alpha = await startRepository('CERT ALPHA');
    const sources = { alpha: { number: 1, directory: alpha.address, ...EXPIRING } };
    const { replace, directory } = await startServer(configure(sources));
    const release: (() => void)[] = [];
    alpha.wait = new Promise((resolve) => release.push(resolve));
    const before = alpha.received;
    const pending = fetch(directory);
    await waitFor(() => expect(alpha.received).toBeGreaterThan(before));
    await replace(configure({ alpha: { ...sources.alpha, ttl: '1h' } }));
    for (const each of release) each();
    const { status, headers } = await pending;
    expect([status, headers.get('last-modified')]).toEqual([200, null]);
  });

  test('leaves the sample repositories running', async () => {
    const port = await freePort();
    const configureSample = (times: object): object => ({
      ...configure({ harbour: { number: 1, directory: `http://127.0.0.1:${port}/directory/v1`, ...times } }),
      samples: { harbour: port },
    });
    const { replace, directory } = await startServer(configureSample({ ttl: '1h' }));
    await replace(configureSample(EXPIRING));
    const { headers } = await fetch(directory);
    expect(headers.get('source-status')).toMatch(/^harbour;state=fresh;records=\d{2,}/);
  });

  test('refuses what is opened once, names the settings, and keeps the configuration in force', async () => {
    const alpha = await startRepository('CERT ALPHA');
    const config = configure({ alpha: { number: 1, directory: alpha.address } });
    const { program, directory } = await startServing(config);
    const [port, adminPort, samplePort] = [await freePort(), await freePort(), await freePort()];
    const changed = {
      ...config,
      server: { host: '127.0.0.2', port },
      admin: { host: '127.0.0.2', port: adminPort },
      cache: { disk: 'snapshots', redis: 'redis://127.0.0.1:9', 'redis-key': 'k'.repeat(32) },
      samples: { harbour: samplePort },
    };
    await replaceFile(program, JSON.stringify(changed));
    const line = await program.line('configuration not reloaded: the one in force remains');
    const settings =
      'server.host, server.port, admin.host, admin.port, cache.disk, cache.redis, cache.redis-key, samples';
    expect(line['errors']).toEqual([`${settings}: cannot be changed while the process runs; restart it`]);
    expect(await names(directory)).toEqual(['CERT ALPHA']);
  });
});

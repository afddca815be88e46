import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway } from '../../../support/gateway/test-gateway.js';
import { fakeClock } from '../../../support/fake-clock.js';
import { fileTransport } from '../../../../src/source/client/transport/file-transport.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-documents-'));
});
afterAll(() => rm(folder, { recursive: true }));

const never = new AbortController().signal;

async function write(name: string, text: string): Promise<URL> {
  const path = join(folder, name);
  await writeFile(path, text);
  return pathToFileURL(path);
}

it('sends a file with an entity tag, and a 304 as long as the file is unchanged', async () => {
  const url = await write('a.csv', 'name\nA\n');
  const first = await fileTransport({ url, headers: {} }, never);
  expect([first.status, String(await first.readBytes(100))]).toEqual([200, 'name\nA\n']);
  const headers = { 'if-none-match': first.header('etag') ?? '' };
  expect((await fileTransport({ url, headers }, never)).status).toBe(304);
  await write('a.csv', 'name\nA\nB\n');
  const changed = await fileTransport({ url, headers }, never);
  expect([changed.status, String(await changed.readBytes(100))]).toEqual([200, 'name\nA\nB\n']);
});

it('reads no more of a file than is allowed', async () => {
  const response = await fileTransport({ url: await write('b.csv', 'x'.repeat(101)), headers: {} }, never);
  await expect(response.readBytes(100)).rejects.toMatchObject({ reason: 'size' });
});

it('fails for a missing file and for a folder, without naming its path', async () => {
  for (const url of [pathToFileURL(join(folder, 'none.csv')), pathToFileURL(folder)]) {
    const failure: unknown = await fileTransport({ url, headers: {} }, never).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'connect' });
    expect(failure instanceof Error && failure.message.includes(folder)).toBe(false);
  }
});

it('serves the teams of a file, the changed ones after the time to live, and the last ones when the file is gone', async () => {
  await write('teams.csv', 'name\nA\n');
  const clock = fakeClock();
  const document = { file: join(folder, 'teams.csv'), map: { 'short-team-name': 'name' } };
  const gateway = await startGateway({ sources: { own: { document } } }, { clock });
  const total = async (): Promise<string | null> =>
    (await gateway.get('/directory/v1/teams')).headers.get('x-total-count');
  try {
    expect(await total()).toBe('1');
    await write('teams.csv', 'name\nA\nB\n');
    clock.advance(3_600_000);
    expect(await total()).toBe('2');
    await rm(join(folder, 'teams.csv'));
    clock.advance(3_600_000);
    const response = await gateway.get('/directory/v1/teams');
    expect([response.status, response.headers.get('x-total-count')]).toEqual([200, '2']);
    expect(response.headers.get('source-status')).toMatch(/state=stale;.*reason=connect/);
    expect(response.text).not.toContain(folder);
  } finally {
    await gateway.close();
  }
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';
import { ACCESS, MEMBERS_KEY } from '../support/gateway/members-gateway.js';
import { membersUpstream } from '../support/upstream/members-upstream.js';
import { programs } from './programs.js';

const PAGE = new URL('../../docs/access.md', import.meta.url);

const TOKEN = 'token-of-this-gateway';
const PUBLIC_TEAMS = [{ id: 'alpha', team: 'ALPHA' }];
const MEMBERS_TEAMS = [...PUBLIC_TEAMS, { id: 'gamma', team: 'GAMMA' }];

afterEach(closeDataGateways);

/** Runs the Python program of the page. The gateway that it queries is in this process, so this process must not block. */
async function runPython(key: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const script = /```python\n([^]*?)\n```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
  const authorization = `Bearer ${TOKEN}`;
  const handler = membersUpstream({ teams: PUBLIC_TEAMS }, { authorization, teams: MEMBERS_TEAMS }, { keys: 'pgp' });
  const registration = { 'source-name': 'First', credentials: { members: { bearer: TOKEN } } };
  const { gateway } = await startDataGateway({ first: { records: {}, handler, registration } }, { access: ACCESS });
  const env = { ROLLCALL_URL: gateway.origin, ROLLCALL_KEY: key };
  return promisify(execFile)(programs.python.command, ['-c', script], { env });
}

it('the Python program of docs/access.md prints the teams that a member sees', async () => {
  expect(await runPython(MEMBERS_KEY)).toEqual({
    stdout: 'ALPHA First\nGAMMA First\n',
    stderr: 'first;state=fresh;records=2;age=0\n',
  });
});

it('the Python program of docs/access.md fails with an unknown key', async () => {
  await expect(runPython('unknown')).rejects.toThrow('HTTP Error 401: Unauthorized');
});

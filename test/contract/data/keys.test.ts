import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import { keyReader } from '../../support/gateway/threads/key-reader.js';
import { openpgpKeys } from '../../support/openpgp-keys.js';
import { moduleFromCode } from '../../support/gateway/threads/worker-modules.js';

const keys = keyReader();
afterEach(closeDataGateways);
afterAll(() => {
  keys.close();
});

const [alpha, beta] = openpgpKeys;
if (alpha === undefined || beta === undefined) throw new Error('no keys');

const TEAM = { id: 'alpha', team: 'Alpha CERT' };
const KEY = { 'pgp-key': alpha.armored };

async function enckeys({ gateway }: DataGateway): Promise<unknown> {
  return (await gateway.get('/directory/v1/teams?fields=enckeys')).json;
}

/** PGP keys of a source (decisions 4.16, 4.24). */
describe.each(['public', 'pgp'] as const)('a key that a source shows in scope %s', (scope) => {
  const behaviour = { keys: scope };
  const start = (team: object, reader = keys): Promise<DataGateway> =>
    startDataGateway({ one: { records: { teams: [{ ...TEAM, ...team }] }, behaviour } }, {}, { keys: reader });

  it.each([
    ['alone', {}, [alpha.fingerprint]],
    ['with its id', { 'pgp-id': `0x${alpha.fingerprint.slice(-16)}` }, [alpha.fingerprint]],
    [
      'with the id of another key too',
      { 'pgp-id': `${alpha.fingerprint.slice(-8)}, 0xDEADBEEF` },
      [alpha.fingerprint, 'DEADBEEF'],
    ],
    ['with a stated fingerprint, which takes precedence', { 'pgp-fingerprint': beta.fingerprint }, [beta.fingerprint]],
    ['with an invalid fingerprint', { 'pgp-fingerprint': 'on request' }, [alpha.fingerprint]],
  ])('provides the enckeys of its team: %s', async (_title, more, expected) => {
    const one = await start({ ...KEY, ...more });
    expect(await enckeys(one)).toEqual([{ enckeys: expected.map((key) => `0x${key}`) }]);
    const { text, data } = await one.ask('/teams?scope=pgp');
    expect(data).toEqual([{ id: 'one.alpha', team: TEAM.team, 'source-name': 'one', ...KEY, ...more }]);
    expect(text).not.toContain('(pgp');
    for (const target of ['/teams', '/teams.csv', '/teams?scope=country'])
      expect((await one.gateway.get(`/data/v1${target}`)).text).not.toMatch(/pgp/);
  });

  it.each([
    ['spaces', ' '],
    ['a backslash and an n', '\\n'],
  ])('is repaired, with a finding, where its line breaks became %s', async (_title, separator) => {
    const one = await start({ 'pgp-key': alpha.armored.replaceAll('\n', separator) });
    expect((await one.ask('/teams?scope=pgp')).data).toMatchObject([KEY]);
    expect(await enckeys(one)).toEqual([{ enckeys: [`0x${alpha.fingerprint}`] }]);
    expect(await one.gateway.metrics()).toMatch(/rule="key-form",field="pgp-key"} 1/);
  });

  it.each([
    [
      'is not a key',
      '-----BEGIN PGP PUBLIC KEY BLOCK----- QSBzYW1wbGUsIG5vIGtleSwgaXMgbm8ga2V5 -----END PGP PUBLIC KEY BLOCK-----',
    ],
    ['is truncated', alpha.armored.slice(0, 400).replaceAll('\n', ' ')],
  ])('is shown as received where it %s', async (_title, text) => {
    const one = await start({ 'pgp-key': text });
    expect((await one.ask('/teams?scope=pgp')).data).toMatchObject([{ 'pgp-key': text }]);
    expect(await enckeys(one)).toEqual([{}]);
    expect(await one.gateway.metrics()).not.toContain('key-form');
  });

  const mismatches = async ({ gateway }: DataGateway): Promise<string | undefined> =>
    /source="one",resource="team-keys",rule="fingerprint-mismatch",field="pgp-fingerprint"} (\d+)/.exec(
      await gateway.metrics(),
    )?.[1];

  it('is a finding, logged after the response, where it does not match the stated fingerprint', async () => {
    const one = await start({ ...KEY, 'pgp-fingerprint': beta.fingerprint });
    await one.ask('/teams?scope=pgp');
    await vi.waitFor(async () => {
      expect(await mismatches(one)).toBe('1');
    }, 60_000);
    expect(one.gateway.log).toContainEqual({
      level: 'info',
      message: 'keys checked',
      facts: { source: 'one', keys: 1, findings: { 'fingerprint-mismatch pgp-fingerprint': 1 } },
    });
  });

  it.each([
    ['its own fingerprint', alpha.fingerprint],
    ['its own fingerprint in groups', `0x${alpha.fingerprint.toLowerCase().replace(/.{4}/g, '$& ')}`],
    ['the fingerprint of its subkey', alpha.subkeys[0]],
    ['its own fingerprint among others', `${beta.fingerprint}, ${alpha.fingerprint}`],
  ])('is no finding beside %s', async (_title, fingerprint) => {
    const one = await start({ ...KEY, 'pgp-fingerprint': fingerprint });
    await one.ask('/teams?scope=pgp');
    await vi.waitFor(() => {
      expect(one.gateway.log).toContainEqual(expect.objectContaining({ message: 'keys checked' }));
    }, 60_000);
    expect(await mismatches(one)).toBeUndefined();
  });

  it('is no finding beside a stated fingerprint that may be of another block, which cannot be read', async () => {
    const damaged = beta.armored.replace(/\n(?:.+\n){6}=/, '\n=');
    const one = await start({ 'pgp-key': `${alpha.armored}\n${damaged}`, 'pgp-fingerprint': beta.fingerprint });
    await one.ask('/teams?scope=pgp');
    await vi.waitFor(() => {
      expect(one.gateway.log).toContainEqual(expect.objectContaining({ message: 'keys checked' }));
    }, 60_000);
    expect(await mismatches(one)).toBeUndefined();
  });

  it('is shown as received where the thread that reads keys cannot start', async () => {
    const broken = keyReader({ module: moduleFromCode('export default undefined;') });
    const one = await start({ ...KEY, 'pgp-id': '0xDEADBEEF' }, broken);
    expect(await enckeys(one)).toEqual([{ enckeys: ['0xDEADBEEF'] }]);
    expect((await one.ask('/teams?scope=pgp')).data).toMatchObject([KEY]);
    broken.close();
  });
});

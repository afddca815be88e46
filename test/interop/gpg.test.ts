import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { armor, enums, generateKey, readKey } from 'openpgp';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';
import { startDemo } from '../support/gateway/demo-gateway.js';
import { readVcards, valuesOf } from '../support/formats/vcard-reader.js';
import { keyReader } from '../support/gateway/threads/key-reader.js';
import { openpgpKeyStates, openpgpKeys } from '../support/openpgp-keys.js';
import { programs, run } from './programs.js';
import { readByPython } from './readers.js';

afterEach(closeDataGateways);

/** Imports a text with gpg into an empty keyring, and returns the fingerprints of the imported public keys. */
function importedByGpg(text: string): readonly string[] {
  const home = mkdtempSync(join(tmpdir(), 'rollcall-gpg-'));
  try {
    const env = { GNUPGHOME: home, LC_ALL: 'C' };
    const { stderr } = run(programs.gpg, ['--batch', '--no-autostart', '--import'], { input: text, env });
    const { stdout } = run(programs.gpg, ['--batch', '--no-autostart', '--with-colons', '--list-keys'], { env });
    const fingerprints = Array.from(
      stdout.matchAll(/^pub:.*\n(?:.*\n)?fpr:+([0-9A-F]+):/gm),
      ([, fingerprint = '']) => fingerprint,
    );
    if (fingerprints.length === 0) throw new Error(`gpg imported nothing: ${stderr}`);
    return fingerprints;
  } finally {
    rmSync(home, { recursive: true });
  }
}

const rows = z.array(z.array(z.string()));

/** The cells below the name of a column in the first row. */
function column(table: unknown, name: string): readonly string[] {
  const [header = [], ...records] = rows.parse(table);
  return records.map((record) => record[header.indexOf(name)] ?? '');
}

describe('gpg imports every key of a response', () => {
  const teams = openpgpKeys.map(({ name, fingerprint, armored }, at) => ({
    id: `t${at}`,
    team: name,
    'pgp-fingerprint': fingerprint,
    'pgp-key': at === 1 ? armored.replaceAll('\n', '\r\n') : armored,
  }));
  const fingerprints = openpgpKeys.map(({ fingerprint }) => [fingerprint]);
  const fetchBody = async (path: string): Promise<Uint8Array> => {
    const { gateway } = await startDataGateway({ one: { records: { teams } } });
    const response = await fetch(`${gateway.origin}${path}`);
    expect(response.status).toBe(200);
    return new Uint8Array(await response.arrayBuffer());
  };

  it('from the CSV of scope pgp', async () => {
    const [read] = readByPython([{ format: 'csv', body: await fetchBody('/data/v1/teams.csv?scope=pgp&sort=team') }]);
    expect(column(read, 'pgp-key').map(importedByGpg)).toEqual(fingerprints);
  });

  it('from the workbook of scope pgp', async () => {
    const [read] = readByPython([{ format: 'xlsx', body: await fetchBody('/data/v1/teams.xlsx?scope=pgp&sort=team') }]);
    const [sheet] = z.array(z.looseObject({ rows: z.array(z.array(z.string().nullable())) })).parse(read);
    const texts = sheet?.rows.map((row) => row.map((cell) => cell ?? ''));
    expect(column(texts, 'pgp-key').map(importedByGpg)).toEqual(fingerprints);
  });

  it('from two keys in one cell, as written for a team whose two records have different keys', () => {
    expect(
      importedByGpg(
        openpgpKeys
          .slice(0, 2)
          .map(({ armored }) => armored)
          .join('\n'),
      ),
    ).toEqual(fingerprints.slice(0, 2).flat());
  });

  it('from a vCard, also where gpg refuses the armor of the source', async () => {
    const [alpha, beta] = openpgpKeys;
    const texts = [
      alpha?.armored.replace(/(?:\n=.{4})?\n-----END/, '\n=AAAA\n-----END'),
      beta?.armored.replaceAll('\n', '\u00a0\n'),
    ];
    for (const text of texts) expect(() => importedByGpg(text ?? '')).toThrow('gpg imported nothing');
    const records = { teams: texts.map((text, at) => ({ id: `t${at}`, team: `T${at}`, 'pgp-key': text })) };
    const { gateway } = await startDataGateway({ one: { records, behaviour: { keys: 'public' } } });
    const { text } = await gateway.get('/data/v1/teams.vcf?scope=pgp&sort=team');
    const keys = readVcards(text).flatMap((card) => valuesOf(card, 'key'));
    const armored = keys.map((key) => Buffer.from(String(key).replace(/^.*,/, ''), 'base64').toString());
    expect(armored.map(importedByGpg)).toEqual([alpha, beta].map((key) => [key?.fingerprint]));
  });

  it('from the keyring, which lists each key that is left out', async () => {
    const { expiring, revoked, unsigned } = openpgpKeyStates;
    const others = [expiring, revoked, unsigned].map(({ armored }, at) => ({ id: `u${at}`, 'pgp-key': armored }));
    const reader = keyReader();
    const records = { teams: [...teams, ...others.map((other) => ({ ...other, team: other.id }))] };
    const { gateway } = await startDataGateway(
      { one: { records, behaviour: { keys: 'public' } } },
      {},
      { keys: reader },
    );
    const { text } = await gateway.get('/data/v1/teams.asc?scope=pgp&sort=team');
    reader.close();
    const imported = importedByGpg(text);
    expect([...imported].sort()).toEqual([...fingerprints.flat(), expiring.fingerprint].sort());
    expect(text).toContain(`\nKeys: ${imported.length}\n`);
    expect(text).toContain('\nLeft out: 2\n');
  });

  it('from a keyring after secret keys and keys of version 6, which it leaves out', async () => {
    const options = { userIDs: { name: 'A team' }, date: new Date('2025-12-01'), format: 'object' } as const;
    const { privateKey: secret } = await generateKey(options);
    const { publicKey: later } = await generateKey({ ...options, config: { v6Keys: true } });
    const mixed = Buffer.concat([(await readKey({ armoredKey: teams[0]?.['pgp-key'] ?? '' })).write(), later.write()]);
    const others = [secret.write(), later.write(), mixed].map((bytes, at) => ({
      id: `a${at}`,
      team: `A${at}`,
      'pgp-key': armor(enums.armor.publicKey, bytes),
    }));
    const reader = keyReader();
    const { gateway } = await startDataGateway(
      { one: { records: { teams: [...others, ...teams] }, behaviour: { keys: 'public' } } },
      {},
      { keys: reader },
    );
    const { text } = await gateway.get('/data/v1/teams.asc?scope=pgp&sort=team');
    reader.close();
    const imported = importedByGpg(text);
    expect([...imported].sort()).toEqual(fingerprints.flat().sort());
    expect(text).toContain(`\nKeys: ${imported.length}\n`);
    expect(text).toContain('\nLeft out: 3\n');
  });

  it('from the keyring of the demo', async () => {
    const reader = keyReader();
    const demo = await startDemo(reader);
    const text = await (await fetch(`${demo.origin}/data/v1/teams.asc?scope=pgp&limit=1000`)).text();
    await demo.close();
    reader.close();
    expect(text).toContain(`\nKeys: ${importedByGpg(text).length}\n`);
  });

  it('but not from a key with a leading apostrophe', () => {
    const [key] = openpgpKeys;
    expect(() => importedByGpg(`'${key?.armored ?? ''}`)).toThrow('gpg imported nothing');
  });
});

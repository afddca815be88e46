import { describe, expect, it } from 'vitest';
import { findManifest, parseShippedConfig, readComposeFile, valueAt } from '../support/deploy/deployment-documents.js';
import { deploymentText } from '../support/deploy/deployment-pages.js';
import { commandsOf } from '../support/deploy/markdown.js';
import { readShippedFile } from '../support/deploy/shipped-file.js';

const unit = readShippedFile('deploy/rollcall.service');
const template = readShippedFile('deploy/rollcall@.service');
const dockerfile = readShippedFile('Dockerfile');
const composeFile = readComposeFile();
const deployment = findManifest('Deployment', 'rollcall');

const pod = (...path: readonly (string | number)[]): unknown =>
  valueAt(deployment, 'spec', 'template', 'spec', ...path);
const container = (...path: readonly (string | number)[]): unknown => pod('containers', 0, ...path);
const service = (...path: readonly (string | number)[]): unknown =>
  valueAt(composeFile, 'services', 'rollcall-1', ...path);

/** Value of a setting of the unit. */
function setting(name: string): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
}

const onHost = parseShippedConfig(readShippedFile('deploy/rollcall.yaml'));
const inCompose = parseShippedConfig(readShippedFile('deploy/container/rollcall.yaml'));
const inKubernetes = parseShippedConfig(
  String(valueAt(findManifest('ConfigMap', 'rollcall'), 'data', 'rollcall.yaml')),
);
const { config: defaults } = parseShippedConfig(
  'sources: { one: { number: 1, directory: "https://irt.example.org/v1" } }',
);

/** Seconds in which a process stops, or exits with 1 (operation 6.3). */
const STOP_SECONDS = defaults.server.deadline / 1_000 + 5;

describe('the configurations in deploy/', () => {
  it.each([
    ['rollcall.yaml', onHost.config, ['127.0.0.1', '127.0.0.1']],
    ['container/rollcall.yaml', inCompose.config, ['0.0.0.0', 'admin.internal']],
    ['kubernetes.yaml', inKubernetes.config, ['0.0.0.0', '0.0.0.0']],
  ])(
    '%s is valid, has the default ports, deadline and memory, and trusts only its proxy',
    (_, { server, admin, cache }, hosts) => {
      expect([server.host, admin.host]).toEqual(hosts);
      expect([server.port, server.deadline]).toEqual([defaults.server.port, defaults.server.deadline]);
      expect([admin.port, cache.memory]).toEqual([defaults.admin.port, defaults.cache.memory]);
      expect(server.trustProxy.length).toBe(1);
    },
  );

  it('keep their state in the folder that the service can write to', () => {
    expect([setting('StateDirectory'), setting('WorkingDirectory')]).toEqual(['rollcall', '/var/lib/rollcall']);
    expect(onHost.config.cache).toMatchObject({ disk: 'snapshots' });
    expect(dockerfile).toContain('\nVOLUME /var/lib/rollcall\n');
    expect(service('volumes')).toContain('state-1:/var/lib/rollcall');
    expect(container('volumeMounts')).toContainEqual({ name: 'state', mountPath: '/var/lib/rollcall' });
    const inVolume = { disk: '/var/lib/rollcall/snapshots' };
    for (const { config } of [inCompose, inKubernetes]) expect(config.cache).toMatchObject(inVolume);
  });

  it('read their secrets where the services mount them', () => {
    expect(onHost.secrets).toEqual(['secrets/harbour-token']);
    const names = ['harbour-token', 'redis-key', 'redis-password'];
    expect([service('secrets')].flat().sort()).toEqual(names);
    expect([...inCompose.secrets].sort()).toEqual(names.map((name) => `/run/secrets/${name}`));
    expect([...inKubernetes.secrets].sort()).toEqual(names.map((name) => `/run/secrets/rollcall/${name}`));
    expect(container('volumeMounts')).toContainEqual({
      name: 'secrets',
      mountPath: '/run/secrets/rollcall',
      readOnly: true,
    });
  });
});

describe('the services in deploy/', () => {
  it('give a process the time to stop', () => {
    expect(Number(setting('TimeoutStopSec').replace('s', ''))).toBeGreaterThan(STOP_SECONDS);
    expect(Number(String(service('stop_grace_period')).replace('s', ''))).toBeGreaterThan(STOP_SECONDS);
    const pause = Number(container('lifecycle', 'preStop', 'sleep', 'seconds'));
    expect(Number(pod('terminationGracePeriodSeconds'))).toBeGreaterThan(STOP_SECONDS + pause);
  });

  it('have one limit of memory, from which the alert about memory is computed', () => {
    expect([setting('MemoryMax'), service('mem_limit'), container('resources', 'limits', 'memory')]).toEqual([
      '1G',
      '1g',
      '1Gi',
    ]);
    expect(readShippedFile('deploy/prometheus/rollcall.rules.yaml')).toContain('> 0.85 * 1024 * 1024 * 1024\n');
  });

  it('have one limit of the heap: cache.memory and 256 MiB', () => {
    const limit = `NODE_OPTIONS=--max-old-space-size=${defaults.cache.memory / 2 ** 20 + 256}`;
    expect(unit).toContain(`\nEnvironment=${limit}\n`);
    expect(dockerfile).toContain(`\nENV ${limit}\n`);
  });

  it('are the same under systemd for one instance and for several, but for ports, folder and descriptions', () => {
    const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const [one, several] = [linesOf(unit), linesOf(template)];
    expect(several.filter((line) => !one.includes(line))).toEqual([
      'Description=Rollcall, a gateway over directories of incident response teams (instance %i)',
      'Documentation=file:/opt/rollcall/docs/deployment-instances.md',
      'Environment=NODE_ENV=production PORT=808%i ADMIN_PORT=909%i',
      'StateDirectory=rollcall-%i',
      'WorkingDirectory=/var/lib/rollcall-%i',
    ]);
    expect(several).toHaveLength(one.length);
  });

  it('have more file descriptors than the 10,000 connections that Rollcall accepts', () => {
    expect(Number(setting('LimitNOFILE'))).toBeGreaterThan(11_000);
    expect(service('ulimits', 'nofile')).toBe(Number(setting('LimitNOFILE')));
  });

  it('run without privileges, on a file system that they cannot change', () => {
    expect(dockerfile).toMatch(/\nUSER node\n[^]*\nSTOPSIGNAL SIGTERM\n/);
    expect([service('read_only'), service('cap_drop')]).toEqual([true, ['ALL']]);
    expect(pod('securityContext')).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container('securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('start the program with the configuration that they mount', () => {
    const command = ['serve', '--config', '/etc/rollcall/rollcall.yaml'];
    const flag = '--no-allocation-site-pretenuring';
    expect(setting('ExecStart')).toBe(`/usr/bin/node ${flag} /opt/rollcall/dist/rollcall.js ${command.join(' ')}`);
    expect([service('command'), container('args')]).toEqual([command, command]);
    expect(dockerfile).toContain(`ENTRYPOINT ["node", "${flag}", "dist/rollcall.js"]`);
    expect(service('volumes')).toContain('./container:/etc/rollcall:ro');
    expect(container('volumeMounts')).toContainEqual({
      name: 'configuration',
      mountPath: '/etc/rollcall',
      readOnly: true,
    });
  });

  it('need dist and package.json only; the unit also names the documentation, the image has the demo', () => {
    const copied = commandsOf(deploymentText).flatMap(
      (command) => /^cp -r (.*) \/opt\/rollcall-[\d.]+$/.exec(command)?.[1] ?? [],
    );
    expect(copied).toEqual(['dist package.json docs', 'dist package.json docs']);
    const [, image = ''] = dockerfile.split('\nFROM ');
    expect(Array.from(image.matchAll(/^COPY (?:--from=build )?(.*)$/gm), ([, paths]) => paths)).toEqual([
      'package.json ./',
      'config config',
      '/opt/rollcall/dist dist',
    ]);
  });

  it('check the health at the admin port', () => {
    const [port, adminPort] = [defaults.server.port, defaults.admin.port];
    expect(dockerfile).toContain(`\nEXPOSE ${port} ${adminPort}\n`);
    expect(dockerfile).toContain(`http://127.0.0.1:${adminPort}/healthz`);
    expect(container('ports')).toEqual([
      { name: 'http', containerPort: port },
      { name: 'admin', containerPort: adminPort },
    ]);
    expect(container('readinessProbe', 'httpGet')).toEqual({ path: '/readyz', port: 'admin' });
    for (const probe of ['livenessProbe', 'startupProbe'])
      expect(container(probe, 'httpGet')).toEqual({ path: '/healthz', port: 'admin' });
  });

  it.each(['deploy/nginx/rollcall.conf', 'deploy/caddy/Caddyfile'])('%s forwards to the public port', (file) => {
    const addresses = readShippedFile(file).match(/127\.0\.0\.1:\d+/g);
    expect(addresses).toEqual([`127.0.0.1:${defaults.server.port}`]);
  });
});

import type { AdminConfig } from '../../config/config.js';

/** At which a program on this machine reaches the admin port. Where the system chooses the port, it is `PORT`. */
export function formatAdminAddress({ host, port }: Pick<AdminConfig, 'host' | 'port'>): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port === 0 ? 'PORT' : port}`;
}

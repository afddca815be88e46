import type { Raw } from '../records.js';
import type { RawPage } from './subject.js';

/** What an upstream of 2026 puts around a page of its data interface. */
export function enveloped({ total, limit, offset, data }: RawPage): Raw {
  return { status: 'OK', 'status-code': 200, version: '1.0', access: 'public', total, offset, limit, data };
}

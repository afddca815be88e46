import type { Capability } from '../model/capabilities.js';
import type { Predicate, Query } from '../model/query.js';

export interface Offer {
  readonly sent: Readonly<Record<string, string>>;
  readonly residual: readonly string[];
  readonly exact: readonly { readonly name: string; readonly predicate: Predicate }[];
  readonly guaranteed: {
    readonly filters: boolean;
    readonly order: boolean;
    readonly total: boolean;
    readonly limit: boolean;
  };
}

export function offer(query: Query, capability: Capability): Offer {
  const form = new Set(['fields', 'envelope', 'pretty', 'callback', 'sort', 'scope', 'channel', 'limit', 'offset']);
  const asked = query.asked.filter(([name]) => !form.has(name));
  const sentPairs = asked.filter(([name]) => capability.filters.includes(name));
  const residual = asked.filter(([name]) => !capability.filters.includes(name)).map(([name]) => name);
  const [key, ...more] = query.order;
  const sort = key === undefined || more.length > 0 ? '' : `${key.descending ? '-' : ''}${key.property}`;
  const order = capability.sort.includes(sort);
  const filters = residual.length === 0 && query.scope !== 'pgp' && query.channel === undefined;
  const total = filters && capability.total;
  return {
    sent: Object.fromEntries([...sentPairs, ...(order ? [['sort', sort] as const] : [])]),
    residual: [...residual, ...(order ? [] : ['sort'])],
    exact: sentPairs.flatMap(([name]) => {
      const predicate = query.where[asked.findIndex(([one]) => one === name)];
      return predicate === undefined ? [] : [{ name, predicate }];
    }),
    guaranteed: { filters, order, total, limit: filters && order && total },
  };
}

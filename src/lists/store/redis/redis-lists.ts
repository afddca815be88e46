import type { SourceQuery } from '../../../source/request/source-query.js';
import type { ClaimOptions, SharedClaim, SharedLists } from '../../shared-lists.js';
import type { ForgettableSource } from './forgettable-source.js';
import { KnownRecords } from './known-records.js';
import { ListClaim } from './list-claim.js';
import type { ClaimServices, SharedSource } from './list-claim.js';

/** Copies of the lists of one source in Redis, each until it expires, and leases to read them (operation 2.5.4). */
export class RedisLists implements SharedLists {
  private readonly known = new KnownRecords();
  private readonly identity: string;

  constructor(
    private readonly services: ClaimServices,
    private readonly source: SharedSource,
    private readonly forgettable: ForgettableSource,
  ) {
    const { code, access, fingerprints, credentials, configuration } = source;
    const parts = [configuration, code, fingerprints.definition, fingerprints.context, access];
    this.identity = JSON.stringify([...parts, access === 'members' ? credentials : '']);
  }

  claim(query: SourceQuery, options: ClaimOptions): Promise<SharedClaim> {
    const name = this.services.sealer.hashName(`${this.identity} ${identifyQuery(query)}`);
    const { services, source, forgettable, known } = this;
    return new ListClaim({ services, source, forgettable, known, query, name }).settle(options);
  }

  forget(): Promise<boolean> {
    return this.forgettable.forget();
  }

  onForget(listener: () => void, until: AbortSignal): void {
    this.forgettable.onForget(listener, until);
  }
}

/** The first 100 records are another list than the first 200. */
function identifyQuery({ resource, parameters, completeAtAnySize, nativeId, pushDown }: SourceQuery): string {
  const exact = pushDown?.exact.map(({ name }) => name);
  const pushed = pushDown && [exact, pushDown.hasExactTotal, pushDown.topRecords];
  return JSON.stringify([resource.name, parameters, completeAtAnySize === true, nativeId, pushed]);
}

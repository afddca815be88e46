import type { DraftRecord } from '../../model/record.js';
import type { ExpectedBody } from '../../source/body/parse-page-body.js';
import { requirePage } from '../../source/body/read-responses.js';
import type { Pages } from './drain.js';
import type { RecordedRequests } from './pages-by-link.js';

/** A feed has one page, without a total (decisions 4.32). */
export async function* pagesOfFeed(
  { url, expected }: { readonly url: URL; readonly expected: ExpectedBody },
  { session, validatorRecorder, clock }: RecordedRequests,
): Pages<DraftRecord> {
  const reply = await session.request(url, expected);
  const page = requirePage(reply);
  validatorRecorder.recordPage(url, reply, { now: clock.now(), statedLifetime: page.statedLifetime });
  yield { page };
  return { kind: 'enough' };
}

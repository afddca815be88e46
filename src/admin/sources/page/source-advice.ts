import type { IncompleteReason } from '../../../model/outcome-description.js';

const SOURCE_ADVICE: Readonly<Record<IncompleteReason, string>> = {
  timeout:
    'Check whether the source is reachable from this machine. If it is only slow, raise its timeout, or lower its page-size.',
  connect: 'Check the address, the firewall and the proxy, and whether the source is up.',
  tls: 'Check the certificate of the source and its tls settings; the cause below names the setting that may help.',
  dns: 'Check the host name in the address, and the resolver of this machine.',
  status: 'If the status is 401 or 403, check its credentials. Otherwise tell the operator of the source.',
  body: 'Open the address of the source: it may answer with a page, such as a login or an error of a proxy.',
  schema: 'Run rollcall preview for the source. Its address may be that of another interface or another list.',
  size: 'If the response is meant to be so large, raise its max-body.',
  redirect: 'Register the address to which the source has moved, if it has.',
  loop: 'The source asks this gateway in turn. Register its sources directly, or remove the registration on one side.',
  access: 'Check the members credential of the source: it does not give the access that it should.',
  internal: 'This is an error of this gateway. Report it, with the line of the log.',
  suspended: 'It is requested again by itself after the cooldown. See the cause of the last failure.',
  shrunk:
    'Ask the operator of the source whether the smaller number is right. If so, confirm it, or wait until it is accepted.',
  private: 'Nothing is wrong: a private query was answered without this source.',
  'too-large': 'Declare its capabilities (rollcall probe finds them), or raise cache.memory.',
  offset:
    'The source sends the same page again. If it is a document, correct its setting page as the cause below says. Otherwise tell its operator that it ignores the parameter offset; a larger page-size may help.',
  paging:
    'Register how its pages are read, as the cause below says. If nothing is missing, because the property means something else, add paging to its tolerates.',
  drift:
    'The source changes while it is read, or its pages overlap. If it only changes, and always does, add drift to its tolerates; records of overlapping pages would be shown twice.',
  total: 'Tell the operator of the source that its total is wrong. Once that is known, add total to its tolerates.',
  window: 'The source gives its newest news only. Nothing can be done here.',
  unreadable: 'Tell the operator of the source which entries are not records: rollcall preview shows them.',
  keys: 'See the list of its PGP keys in the details: it is requested separately.',
  feed: 'Look at its feeds: at least one of them fails, and no earlier copy of it is left.',
  filter: 'Tell the operator of the source: it ignores the parameter channel.',
  search: 'Remove search from its supports, if its search misses what its list has.',
  'id-range': 'Tell the operator of the source: its ids are too large to be made unique.',
  index: 'It is being indexed, or its index does not fit into cache.memory: look at the log.',
  upstream: 'The source is itself a gateway, and one of its sources fails. Look at its own status.',
};

/** For reasons that mean something else of a feed. */
const FEED_ADVICE: Partial<Readonly<Record<IncompleteReason, string>>> = {
  status:
    'If the status is 401 or 403, check its credentials. If it is 404 or 410, look on the site of the publisher for the new address of the feed.',
  body: 'Run rollcall preview for the source. Where a page has taken the place of the feed, it names the feeds that the page links.',
  redirect: 'Register the address to which the feed has moved, if it has.',
  schema: 'Run rollcall preview for the source: most items of the feed have neither title, summary nor link.',
  shrunk:
    'Look at the feed: it has far fewer items than before. If that is right, confirm it, or wait until it is accepted.',
};

/** What an operator can do about the reason of an incomplete list (decisions 6.3), or of a feed. */
export function adviseOn(reason: IncompleteReason, isFeed: boolean): string {
  return (isFeed ? FEED_ADVICE[reason] : undefined) ?? SOURCE_ADVICE[reason];
}

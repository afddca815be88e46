import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { areSameKey } from '../../identifiers/key-id.js';
import { parseSearchText } from '../../search/text/search-request.js';
import { useAddress } from '../layout/page-address.js';
import { Contradiction, Searched, UnsearchedWarning } from '../team/stating-repositories.js';
import { KeyDescription, KeyStateNote, listShownKeys } from '../team/key-section.js';
import { MAX_ITEMS, nameOf, teamPath } from '../team/team-facts.js';
import type { TeamKey } from '../../source/keys/team-keys.js';
import type { TeamView } from '../team/team-model.js';

interface SearchedKeyProps {
  /** What was searched: a fingerprint, a key id, a key, or a line with one of these. */
  readonly text: string;
  /** A team of which a record states the key. */
  readonly view: TeamView;
  readonly now: number;
}

/** Who states the searched key, its validity and addresses, and which others are stated for the same team. */
export function SearchedKey({ text, view, now }: SearchedKeyProps): VNode {
  const address = useAddress();
  const { records } = view;
  const [{ facts }] = records;
  const searched = parseSearchText(text).key?.toUpperCase() ?? '';
  const isSearched = ({ digits, read }: TeamKey): boolean =>
    [digits, ...(read?.subkeys ?? [])].some((one) => areSameKey(one, searched));
  const show = (keys: readonly TeamKey[]): readonly VNode[] =>
    keys.slice(0, MAX_ITEMS).map((key) => <KeyDescription teamKey={key} records={records} now={now} />);
  const keys = listShownKeys(records);
  const others = keys.filter((key) => !isSearched(key));
  return (
    <section class="panel" aria-label="The searched key">
      <h2 class="part">
        This key is stated for{' '}
        <a href={address(teamPath(facts.id))}>
          <SourceText text={nameOf(facts)} max={60} />
        </a>
      </h2>
      <Searched.Provider value={view.facts}>
        <UnsearchedWarning />
        {show(keys.filter(isSearched))}
        {others.length > 0 && <h2 class="part">Another key is stated for the same team</h2>}
        <Contradiction properties={['enckeys']} records={records} />
        {show(others)}
      </Searched.Provider>
      {records.map((record) => (
        <KeyStateNote record={record} />
      ))}
    </section>
  );
}

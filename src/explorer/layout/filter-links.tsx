import { foldText } from '../../text/text-folding.js';
import { valueOf, withParameters } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { countryName } from '../team/team-facts.js';
import { useAddress } from './page-address.js';

interface FilteredPage {
  readonly path: string;
  readonly parameters: PageParameters;
}

interface Filter {
  readonly title: string;
  /** Of the parameter. */
  readonly name: string;
  /** With the number of matches, where that is known. */
  readonly values: ReadonlyMap<string, number | undefined>;
  /** Not every value is listed, or not every match counted. */
  readonly note?: string | undefined;
}

interface FiltersProps extends FilteredPage {
  readonly label: string;
  readonly filters: readonly Filter[];
  /** Choosing is the content of the page. Otherwise the filters are folded where there is little room. */
  readonly isMain?: boolean;
}

export function Filters({ label, filters, isMain = false, ...page }: FiltersProps): VNode {
  return (
    <aside id="counts" aria-label={label}>
      <details open={isMain}>
        <summary>{isMain ? 'Countries and repositories' : 'Filters'}</summary>
        {filters.map((filter) => (
          <FilterLinks {...page} {...filter} />
        ))}
      </details>
    </aside>
  );
}

/** Each is a link that filters by it, or removes the filter. */
function FilterLinks({ path, parameters, title, name, values, note }: FilteredPage & Filter): VNode | null {
  const address = useAddress();
  if (values.size === 0 && note === undefined) return null;
  const chosen = foldText(valueOf(parameters, name));
  return (
    <section class="facet">
      <h2>{title}</h2>
      {note !== undefined && <p class="note">{note}</p>}
      <ul>
        {[...values].map(([value, count]) => {
          const isChosen = foldText(value) === chosen;
          // A country replaces a region: a country outside the region would match nothing.
          const changes = { [name]: isChosen ? undefined : value, ...(name === 'country' && { region: undefined }) };
          return (
            <li>
              <a
                href={address(path, withParameters(parameters, changes))}
                {...(isChosen && { 'aria-current': 'true' as const })}
              >
                <SourceText text={labelOf(name, value)} />
                {isChosen && ' (selected; remove)'}
              </a>{' '}
              {count !== undefined && <span class="count">{count.toLocaleString('en')}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function labelOf(name: string, value: string): string {
  return name === 'country' ? countryName(value.toUpperCase()) : value;
}

/** The filters in use, each with a link that removes it. */
export function ChosenFilters({ path, parameters }: FilteredPage): VNode | null {
  const address = useAddress();
  const filters = parameters.filter(([name]) => name !== 'q' && name !== 'sort');
  if (filters.length === 0) return null;
  return (
    <p class="note">
      Only{' '}
      {filters.map(([name, value], at) => (
        <>
          {at > 0 && ', '}
          {name === 'source-name' ? 'repository' : name} <SourceText text={labelOf(name, value)} /> (
          <a href={address(path, withParameters(parameters, { [name]: undefined }))}>remove</a>)
        </>
      ))}
    </p>
  );
}

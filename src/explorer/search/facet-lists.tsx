import { valueOf, withParameters } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { useAddress } from '../layout/page-address.js';
import { foldText } from '../../text/text-folding.js';
import { countryName } from '../team/team-facts.js';
import type { FacetCounts, SearchModel } from './search-model.js';

/** Beside results. The select lists all. */
const MAX_COUNTRIES = 15;

/** By repository and by country, each a link that filters by it. */
export function FacetLists({ model }: { readonly model: SearchModel }): VNode {
  const { parameters, bySource, byCountry, isStart } = model;
  return (
    <>
      <FacetList
        facet={bySource}
        title="By repository"
        name="source-name"
        parameters={parameters}
        labelOf={(name) => name}
        max={Infinity}
      />
      <FacetList
        facet={byCountry}
        title="By country"
        name="country"
        parameters={parameters}
        labelOf={countryName}
        max={isStart ? Infinity : MAX_COUNTRIES}
      />
    </>
  );
}

interface FacetListProps {
  readonly facet: FacetCounts;
  readonly title: string;
  readonly name: 'source-name' | 'country';
  readonly parameters: PageParameters;
  readonly labelOf: (value: string) => string;
  readonly max: number;
}

function FacetList({ facet, title, name, parameters, labelOf, max }: FacetListProps): VNode | null {
  const { counts, isComplete } = facet;
  const address = useAddress();
  if (counts.size === 0) return null;
  const chosen = foldText(valueOf(parameters, name));
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const omitted = sorted.length - max;
  return (
    <section class="facet">
      <h2>{title}</h2>
      {!isComplete && <p class="note">At least these: not every team could be counted.</p>}
      <ul>
        {sorted.slice(0, max).map(([value, count]) => {
          const isChosen = foldText(value) === chosen;
          const href = address('/', hrefParameters(parameters, name, isChosen ? undefined : value));
          return (
            <li>
              <a href={href} {...(isChosen && { 'aria-current': 'true' as const })}>
                <SourceText text={labelOf(value)} />
                {isChosen && <span class="chosen"> (selected; remove)</span>}
              </a>{' '}
              <span class="count">{count.toLocaleString('en')}</span>
            </li>
          );
        })}
      </ul>
      {omitted > 0 && <p class="note">and {omitted} more in the list of countries above.</p>}
    </section>
  );
}

/** A country replaces a region: a country outside the region would match nothing. */
function hrefParameters(
  parameters: PageParameters,
  name: FacetListProps['name'],
  value: string | undefined,
): PageParameters {
  return withParameters(parameters, { [name]: value, ...(name === 'country' && { region: undefined }) });
}

import { regionNames, findRegion } from '../../region/region.js';
import { listCountriesInRegion } from '../../region/cldr-territories.js';
import { valueOf } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { Filters, HiddenFields, SelectField, SourceField } from '../layout/form-fields.js';
import type { Option } from '../layout/form-fields.js';
import { useAddress } from '../layout/page-address.js';
import { countryName } from '../team/team-facts.js';
import type { FacetCounts, SearchModel } from './search-model.js';

/** The form has fields for these, or drops them. Others of the address are sent again unchanged. */
const FORM_PARAMETERS: ReadonlySet<string> = new Set(['q', 'country', 'region', 'source-name', 'sort']);

const collator = new Intl.Collator('en');

/** Sorted by name. */
const COUNTRIES: readonly Option[] = [...listCountriesInRegion('001'), ...listCountriesInRegion('010')]
  .map((code) => ({ value: code, label: countryName(code) }))
  .sort((a, b) => collator.compare(a.label, b.label));

interface SearchFormProps {
  readonly model: SearchModel;
  readonly sourceNames: readonly string[];
}

/** A form that requests this page, with or without scripts. */
export function SearchForm({ model, sourceNames }: SearchFormProps): VNode {
  const { parameters, byCountry, bySource } = model;
  const address = useAddress();
  const value = (name: string): string => valueOf(parameters, name);
  return (
    <form id="search" class="search" role="search" action={address('/')} method="get" data-live-search>
      <HiddenFields parameters={parameters} formParameters={FORM_PARAMETERS} />
      <div class="box">
        <label for="q">Name, domain, IP address, key or log line</label>
        <div class="box-row">
          <input
            id="q"
            name="q"
            type="search"
            value={value('q')}
            dir="auto"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            enterkeyhint="search"
          />
          <button type="submit">Search</button>
        </div>
      </div>
      <Filters>
        <CountryField value={value('country')} facet={byCountry} />
        <SelectField
          name="region"
          label="Region"
          all="All regions"
          value={findRegion(value('region'))?.name ?? value('region')}
          groups={[{ options: regionNames.map((name) => ({ value: name, label: name })) }]}
        />
        <SourceField value={value('source-name')} counts={bySource.counts} sourceNames={sourceNames} />
      </Filters>
    </form>
  );
}

/** Countries without matching teams only where these could not all be counted. */
function CountryField({ value, facet: { counts, isComplete } }: { value: string; facet: FacetCounts }): VNode {
  const withCount = (option: Option): Option => {
    const count = counts.get(option.value);
    return count === undefined ? option : { ...option, label: `${option.label} (${count.toLocaleString('en')})` };
  };
  return (
    <SelectField
      name="country"
      label="Country"
      all="All countries"
      value={value.toUpperCase()}
      groups={[
        { label: 'With matching teams', options: COUNTRIES.filter((one) => counts.has(one.value)).map(withCount) },
        { label: 'Other countries', options: isComplete ? [] : COUNTRIES.filter((one) => !counts.has(one.value)) },
      ]}
    />
  );
}

import type { MergedList } from '../../gateway/merged-list.js';
import type { CountryCounts } from '../../render/render-input.js';

/** All matches by country, and those without one or that cannot be counted (decisions 3.19). */
export async function countTeamsByCountry(list: MergedList): Promise<CountryCounts> {
  const [counts, none] = await Promise.all([list.countBy('country'), list.countBy('no-country')]);
  return { counts, withoutCountry: none.get('') ?? 0, uncounted: list.unfetchedCount };
}

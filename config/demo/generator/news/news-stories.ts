import { countries } from '../countries.js';
import type { SeededRandom } from '../seeded-random.js';
import type { Language } from '../languages.js';
import type { Repository } from '../team.js';

/** Faults that items are about. */
export const weaknesses = [
  'a default password',
  'a missing check of the length',
  'a path that leads out of its folder',
  'a certificate that nobody looks at',
  'a race between two writers',
  'a date that comes after all others',
  'an update that is not signed',
] as const;

/** Subjects of meetings. */
export const topics = [
  'handing over at night',
  'writing to strangers',
  'keys that expire',
  'counting incidents',
  'logs nobody reads',
  'the telephone tree',
  'ports & ferries',
  'small teams',
  'reporting in plain words',
  'exercises with paper only',
] as const;

/** `Notice of an exercise` and the place, in languages with other scripts. */
const exercise: Partial<Readonly<Record<Language, string>>> = {
  ja: '訓練のお知らせ: {}',
  zh: '演练通知：{}',
  ko: '훈련 안내: {}',
  el: 'Ανακοίνωση άσκησης: {}',
  uk: 'Оголошення про навчання: {}',
  bg: 'Съобщение за учение: {}',
  ar: 'إشعار بتمرين: {}',
  he: 'הודעה על תרגיל: {}',
  th: 'ประกาศการฝึกซ้อม: {}',
  ka: 'შეტყობინება წვრთნის შესახებ: {}',
};

/** One notice for each of these languages. */
export function notices(dice: SeededRandom): readonly string[] {
  return countries.flatMap(({ language, places }) => {
    const pattern = exercise[language];
    return pattern === undefined ? [] : [pattern.replace('{}', dice.pick(places).native)];
  });
}

/** News that several sources publish together. */
export const jointNews: readonly {
  readonly sources: readonly Repository[];
  readonly at: string;
  readonly title: string;
  readonly summary: string;
}[] = [
  {
    sources: ['chronicle', 'beacon'],
    at: '2024-05-14T09:00:00+00:00',
    title: 'Joint exercise “Still Water”: who answers at 3 a.m.?',
    summary: 'Forty teams, one night, and a telephone tree with a branch missing.',
  },
  {
    sources: ['chronicle', 'beacon', 'quay'],
    at: '2025-03-03T12:00:00+00:00',
    title: 'Check your entry: contact week 2025',
    summary: 'Call the number that is listed for you, and see who picks up.',
  },
  {
    sources: ['beacon', 'quay'],
    at: '2025-11-18T08:30:00+00:00',
    title: 'Harbour lights: ports meet carriers',
    summary: 'Port authorities and carriers compare their lists.',
  },
  {
    sources: ['chronicle', 'beacon', 'quay'],
    at: '2026-03-02T12:00:00+00:00',
    title: 'Check your entry: contact week 2026',
    summary: 'Last year, one number in nine rang in an empty room.',
  },
];

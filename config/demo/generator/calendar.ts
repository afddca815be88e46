const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `2008-09-08` as `September 8, 2008`. A less exact date becomes its first day. */
export function inWords(iso: string): string {
  const [year, month, date] = partsOf(iso);
  return `${months[month - 1] ?? ''} ${date}, ${year}`;
}

/** `2008-09-08T10:11:12+00:00` as `Mon, 08 Sep 2008 10:11:12 GMT`. */
export function httpDate(iso: string): string {
  const [year, month, date] = partsOf(iso);
  const name = (months[month - 1] ?? '').slice(0, 3);
  return `${weekday(year, month, date)}, ${iso.slice(8, 10)} ${name} ${year} ${iso.slice(11, 19)} GMT`;
}

/** `2008-09-08T10:11:12+00:00` as `2008-09-08 10:11:12 +00:00`. */
export function spaced(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} +00:00`;
}

/** `2008`, `2008-09` or `2008-09-08` as the first day that it covers. */
export function firstDay(iso: string): string {
  return `${iso}-01-01`.slice(0, 10);
}

function partsOf(iso: string): [year: number, month: number, date: number] {
  const [year = 0, month = 1, date = 1] = firstDay(iso.slice(0, 10)).split('-').map(Number);
  return [year, month, date];
}

/** The weekday of a date of the Gregorian calendar, by Sakamoto's method. */
function weekday(year: number, month: number, date: number): string {
  const y = month < 3 ? year - 1 : year;
  const shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1] ?? 0;
  return weekdays[(y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + shift + date) % 7] ?? '';
}

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** Of an HTTP date such as `Thu, 02 Apr 2026 21:28:40 GMT`; undefined for any other text. */
export function httpDateSeconds(text: string): number | undefined {
  const groups = /^\w{3}, (\d\d) (\w{3}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/.exec(text);
  if (groups === null) return undefined;
  const [, day = '', month = '', year = '', time = ''] = groups;
  return daysTo(Number(year), months.indexOf(month) / 3 + 1, Number(day)) * 86_400 + secondsOf(time);
}

/** With or without a time and an offset. */
export const isoDatePattern = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:Z|([+-])(\d\d:?\d\d))?)?$/;

/** Of a text that matches `isoDatePattern`; UTC without an offset. NaN for any other text. */
export function isoDateSeconds(text: string): number {
  const [, year, month, day, time = '00:00', sign = '+', offset = '00:00'] = isoDatePattern.exec(text) ?? [];
  const local = daysTo(Number(year), Number(month), Number(day)) * 86_400 + secondsOf(time);
  return local - Number(`${sign}1`) * secondsOf(offset.replace(/^(\d\d)(\d\d)$/, '$1:$2'));
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}

/** From 1970-01-01, by the algorithm days_from_civil of Howard Hinnant: years begin in March, eras have 400 years. */
function daysTo(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468;
}

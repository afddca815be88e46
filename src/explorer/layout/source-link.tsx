import { parseUrl } from '../../text/url.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { CopyButton } from './copy-button.js';
import { AsStated } from './long-text.js';

/** As sources write it. Other spellings that a URL parser accepts are not links. */
const WEB_ADDRESS = /^https?:\/\/[^/\\\s][^\s\\]*$/i;

/** In UTF-16 units. */
const MAX_LINK_LENGTH = 2_000;

/** A link only if it is an http(s) address without user name and password. Its own text shows the host. */
export function SourceLink({ address, text = address }: { readonly address: string; readonly text?: string }): VNode {
  const url = parseWebAddress(address);
  if (url === undefined) return <SourceText text={text} />;
  return (
    <a href={url} rel="noreferrer noopener">
      <SourceText text={text === address ? showHost(address, url) : text} />
    </a>
  );
}

function showHost(address: string, url: string): string {
  return address.replace(ORIGIN, () => ORIGIN.exec(url)?.[0] ?? '');
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Normalized, with the host name in ASCII; undefined where the text must not be a link. */
export function parseWebAddress(address: string): string | undefined {
  if (address.length > MAX_LINK_LENGTH || !WEB_ADDRESS.test(address)) return undefined;
  const url = parseUrl(address);
  return url?.username === '' && url.password === '' ? url.href : undefined;
}

/** Usual form (RFC 5322, `dot-atom`), with a domain name in ASCII. */
const EMAIL =
  /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/i;

/** In characters (RFC 5321, section 4.5.3.1.3). */
const MAX_EMAIL_LENGTH = 254;

/** A link, and a button that copies the address, only if the text is one valid address. */
export function EmailLink({ address }: { readonly address: string }): VNode {
  if (address.length > MAX_EMAIL_LENGTH || !EMAIL.test(address)) return <AsStated text={address} />;
  const at = address.lastIndexOf('@');
  return (
    <>
      <a href={`mailto:${encodeURIComponent(address.slice(0, at))}${address.slice(at)}`}>{address}</a>{' '}
      <CopyButton text={address} label="e-mail address" />
    </>
  );
}

/** Digits with the usual separators. */
const DIALLABLE = /^\+?[\d\s().\-/]{5,40}$/;

/** ITU-T E.164. More digits are two numbers. */
const MAX_DIGITS = 15;

/** Undefined where the text is not surely one number. The zero of `+44 (0)20` is not dialled after the country code. */
function toDialledNumber(phone: string): string | undefined {
  if (!DIALLABLE.test(phone)) return undefined;
  const dialled = (phone.startsWith('+') ? phone.replace(/\(0\)/, '') : phone).replace(/[^\d+]/g, '');
  return dialled.replace(/^\+/, '').length > MAX_DIGITS ? undefined : dialled;
}

/** A link, and a button that copies the number, only if the text is surely one number. */
export function PhoneNumber({ phone }: { readonly phone: string }): VNode {
  const dialled = toDialledNumber(phone);
  if (dialled === undefined) return <AsStated text={phone} />;
  return (
    <>
      <a href={`tel:${dialled}`}>{phone}</a> <CopyButton text={phone} label={`phone number ${phone}`} />
    </>
  );
}

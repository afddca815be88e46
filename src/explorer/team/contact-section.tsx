import type { ComponentChildren, VNode } from '../html.js';
import { EmailLink, SourceLink, isEmailAddress } from '../layout/source-link.js';
import { CopyButton, SourceText } from '../layout/source-text.js';
import { LocalTime } from './local-time.js';
import type { TeamRecord } from './team-model.js';
import { textOf, textsOf } from '../answer/record-texts.js';

/** What the section is built from. */
export interface ContactSectionProps {
  readonly record: TeamRecord;
  /** Address of the record as data. */
  readonly whole: string;
  /** Present time, in milliseconds since 1970. */
  readonly now: number;
}

/** How to reach a team: the ways that work at any hour first. */
export function ContactSection({ record, whole, now }: ContactSectionProps): VNode {
  const { facts, directory, data } = record;
  const emergency = textsOf(data, 'phone-emergency');
  const phones = facts.phones.filter((phone) => !emergency.some((other) => isSameNumber(phone, other)));
  const timezone = textOf(data, 'timezone') || textOf(directory, 'timezone');
  const timezoneInSummer = textOf(data, 'timezone-dst') || textOf(directory, 'timezone-dst');
  return (
    <section class="panel contacts" aria-labelledby="contact-title">
      <h2 id="contact-title">Contact</h2>
      <dl class="facts">
        <Fact
          name="Emergency phone"
          items={emergency.map((phone) => (
            <Phone phone={phone} />
          ))}
        />
        <Fact
          name="Phone"
          items={phones.map((phone) => (
            <Phone phone={phone} />
          ))}
          isAlwaysShown
        />
        <Fact name="Hours" items={listTexts([facts.operatingHours], whole)} />
        <Fact
          name="Local time"
          items={
            timezone === '' ? [] : [<LocalTime timezone={timezone} timezoneInSummer={timezoneInSummer} now={now} />]
          }
        />
        <Fact name="E-mail" items={facts.email === '' ? [] : [<Email address={facts.email} />]} isAlwaysShown />
        <Fact name="Other channels" items={listTexts(textsOf(data, 'other-communication'), whole)} />
        <Fact
          name="Web sites"
          items={textsOf(directory, 'website').map((address) => (
            <SourceLink address={address} />
          ))}
        />
        <Fact
          name="Postal address"
          items={textsOf(directory, 'postal-address').map((text) => (
            <span class="lines">
              <SourceText text={text} whole={whole} />
            </span>
          ))}
        />
      </dl>
    </section>
  );
}

/** One kind of contact. Without any it is left out, except where a reader must see that there is none. */
function Fact({
  name,
  items,
  isAlwaysShown = false,
}: {
  readonly name: string;
  readonly items: readonly ComponentChildren[];
  readonly isAlwaysShown?: boolean;
}): VNode | null {
  if (items.length === 0 && !isAlwaysShown) return null;
  return (
    <>
      <dt>{name}</dt>
      {items.length === 0 && <dd class="none">none stated</dd>}
      {items.map((item) => (
        <dd>{item}</dd>
      ))}
    </>
  );
}

function listTexts(texts: readonly string[], whole: string): readonly VNode[] {
  return texts.filter((text) => text !== '').map((text) => <SourceText text={text} whole={whole} />);
}

/** A telephone number that can be dialled: digits with the usual separators. */
const DIALLABLE = /^\+?[\d\s().\-/]{5,40}$/;

function Phone({ phone }: { readonly phone: string }): VNode {
  if (!DIALLABLE.test(phone)) return <SourceText text={phone} />;
  return (
    <>
      <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>{' '}
      <CopyButton text={phone} label={`phone number ${phone}`} />
    </>
  );
}

function Email({ address }: { readonly address: string }): VNode {
  return (
    <>
      <EmailLink address={address} /> {isEmailAddress(address) && <CopyButton text={address} label="e-mail address" />}
    </>
  );
}

function isSameNumber(one: string, other: string): boolean {
  return numberKey(one) === numberKey(other);
}

/** The digits of a number; its text if it has none. A fax is another number. */
function numberKey(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits === '' ? phone : `${digits}${/\(fax\)/i.test(phone) ? ' fax' : ''}`;
}

import type { ComponentChildren, VNode } from '../../html/html.js';
import { toPhoneKeys } from '../../identifiers/phone-number.js';
import { EmailLink, PhoneNumber, SourceLink, isEmailAddress } from '../layout/source-link.js';
import { CopyButton } from '../layout/copy-button.js';
import { SourceText } from '../../html/source-text.js';
import { LocalTime } from './local-time.js';
import { MAX_ITEMS } from './team-facts.js';
import type { TeamRecord } from './team-model.js';
import { textOf, textsOf } from '../answer/record-texts.js';

interface ContactSectionProps {
  readonly record: TeamRecord;
  /** Address of the record as data. */
  readonly whole: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Ways that work at any hour come first. */
export function ContactSection({ record, whole, now }: ContactSectionProps): VNode {
  const { facts, directory, data } = record;
  const emergency = textsOf(data, 'phone-emergency');
  const emergencyKeys = new Set(toPhoneKeys(emergency));
  const keys = toPhoneKeys(facts.phones);
  const phones = facts.phones.filter((_, at) => !emergencyKeys.has(keys[at] ?? ''));
  const timezone = textOf(data, 'timezone') || textOf(directory, 'timezone');
  const timezoneInSummer = textOf(data, 'timezone-dst') || textOf(directory, 'timezone-dst');
  return (
    <section class="panel contacts" aria-labelledby="contact-title">
      <h2 id="contact-title">Contact</h2>
      <dl class="facts">
        <Fact
          name="Emergency phone"
          whole={whole}
          items={emergency.map((phone) => (
            <PhoneNumber phone={phone} />
          ))}
        />
        <Fact
          name="Phone"
          whole={whole}
          items={phones.map((phone) => (
            <PhoneNumber phone={phone} />
          ))}
          isAlwaysShown
        />
        <Fact name="Hours" whole={whole} items={listTexts([facts.operatingHours], whole)} />
        <Fact
          name="Local time"
          whole={whole}
          items={
            timezone === '' ? [] : [<LocalTime timezone={timezone} timezoneInSummer={timezoneInSummer} now={now} />]
          }
        />
        <Fact
          name="E-mail"
          whole={whole}
          items={facts.email === '' ? [] : [<Email address={facts.email} />]}
          isAlwaysShown
        />
        <Fact name="Other channels" whole={whole} items={listTexts(textsOf(data, 'other-communication'), whole)} />
        <Fact
          name="Web sites"
          whole={whole}
          items={textsOf(directory, 'website').map((address) => (
            <SourceLink address={address} />
          ))}
        />
        <Fact
          name="Postal address"
          whole={whole}
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

/** Without any contact it is left out, except where a reader must see that there is none. */
function Fact({
  name,
  items,
  whole,
  isAlwaysShown = false,
}: {
  readonly name: string;
  readonly items: readonly ComponentChildren[];
  /** Address of all items. */
  readonly whole: string;
  readonly isAlwaysShown?: boolean;
}): VNode | null {
  if (items.length === 0 && !isAlwaysShown) return null;
  return (
    <>
      <dt>{name}</dt>
      {items.length === 0 && <dd class="none">none stated</dd>}
      {items.slice(0, MAX_ITEMS).map((item) => (
        <dd>{item}</dd>
      ))}
      {items.length > MAX_ITEMS && (
        <dd>
          … <a href={whole}>({items.length - MAX_ITEMS} more: see the whole record)</a>
        </dd>
      )}
    </>
  );
}

function listTexts(texts: readonly string[], whole: string): readonly VNode[] {
  return texts.filter((text) => text !== '').map((text) => <SourceText text={text} whole={whole} />);
}

function Email({ address }: { readonly address: string }): VNode {
  return (
    <>
      <EmailLink address={address} /> {isEmailAddress(address) && <CopyButton text={address} label="e-mail address" />}
    </>
  );
}

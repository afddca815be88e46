/** The kinds of organisation that every country has. `languages` lists their names in this order. */
export const kinds = ['university', 'bank', 'port', 'grid', 'hospital', 'telecom'] as const;

export type Kind = (typeof kinds)[number];

/** Names of an organisation of each kind in a language; `{}` is replaced by the (fictitious) place. */
const languages = {
  ar: 'جامعة {}|بنك {}|ميناء {}|شبكة كهرباء {}|مستشفى {}|اتصالات {}',
  bg: 'Университет {}|Банка {}|Пристанище {}|Електромрежа {}|Болница {}|{} Телеком',
  cs: 'Univerzita {}|Banka {}|Přístav {}|Rozvodná síť {}|Nemocnice {}|{} Telekom',
  da: '{} Universitet|{} Sparekasse|{} Havn|{} Elnet|{} Sygehus|{} Bredbånd',
  de: 'Hochschule {}|Sparbank {}|Hafenbetriebe {}|Stromnetze {} GmbH|Klinikum {}|{} Netz AG',
  el: 'Πανεπιστήμιο {}|Τράπεζα {}|Λιμένας {}|Ηλεκτρικό Δίκτυο {}|Νοσοκομείο {}|{} Τηλεπικοινωνίες',
  en: '{} University|Bank of {}|Port of {} Authority|{} Grid Company|{} General Hospital|{} Telecom',
  es: 'Universidad de {}|Banco de {}|Autoridad Portuaria de {}|Red Eléctrica de {}|Hospital de {}|Telefonía {}',
  et: '{} Ülikool|{} Hoiupank|{} Sadam|{} Elektrivõrk|{} Haigla|{} Telekom',
  fi: '{}n yliopisto|{}n Säästöpankki|{}n satama|{}n Sähköverkko|{}n keskussairaala|{}n Puhelin',
  fr: 'Université de {}|Crédit de {}|Port autonome de {}|Réseau électrique de {}|Hôpital de {}|{} Télécom',
  he: 'אוניברסיטת {}|בנק {}|נמל {}|רשת החשמל {}|בית חולים {}|{} תקשורת',
  hu: '{}i Egyetem|{}i Takarékpénztár|{}i Kikötő|{}i Áramhálózat|{}i Kórház|{} Távközlés',
  hy: '{}ի համալսարան|{} բանկ|{}ի նավահանգիստ|{}ի էլեկտրացանց|{}ի հիվանդանոց|{} Տելեկոմ',
  id: 'Universitas {}|Bank {}|Pelabuhan {}|Jaringan Listrik {}|Rumah Sakit {}|Telekomunikasi {}',
  is: 'Háskólinn í {}|Sparisjóður {}|{}höfn|Rafveita {}|Sjúkrahúsið í {}|Fjarskipti {}',
  it: "Università di {}|Banca di {}|Autorità Portuale di {}|Rete Elettrica {}|Ospedale di {}|Telecomunicazioni d'{}",
  ja: '{}大学|{}銀行|{}港湾局|{}電力網|{}総合病院|{}通信',
  ka: '{}ს უნივერსიტეტი|{} ბანკი|{}ს პორტი|{}ს ელექტროქსელი|{}ს საავადმყოფო|{} ტელეკომი',
  kk: '{} университеті|{} банкі|{} порты|{} электр желілері|{} ауруханасы|{} Телеком',
  ko: '{}대학교|{}은행|{}항만공사|{}전력망|{}종합병원|{}통신',
  lt: '{} universitetas|{} bankas|{} uostas|{} elektros tinklai|{} ligoninė|{} telekomas',
  nl: 'Universiteit {}|Bank van {}|Havenbedrijf {}|Netbeheer {}|Ziekenhuis {}|{} Telecom',
  no: 'Universitetet i {}|{} Sparebank|{} Havn|{} Kraftnett|{} sykehus|{} Bredbånd',
  pl: 'Uniwersytet {}|Bank {}|Zarząd Portu {}|Sieci Energetyczne {}|Szpital {}|Łączność {}',
  pt: 'Universidade de {}|Banco {}|Administração do Porto de {}|Rede Elétrica de {}|Hospital de {}|{} Telecomunicações',
  ro: 'Universitatea din {}|Banca {}|Portul {}|Rețeaua Electrică {}|Spitalul {}|{} Telecom',
  sv: '{} universitet|{} Sparbank|{} Hamn|{} Elnät|{} lasarett|{} Bredband',
  th: 'มหาวิทยาลัย{}|ธนาคาร{}|การท่าเรือ{}|การไฟฟ้า{}|โรงพยาบาล{}|โทรคมนาคม{}',
  tr: '{} Üniversitesi|{} Bankası|{} Limanı|{} Elektrik Dağıtım|{} Hastanesi|{} İletişim',
  uk: 'Університет {}|Банк {}|Порт {}|Електромережі {}|Лікарня {}|{} Телеком',
  vi: 'Đại học {}|Ngân hàng {}|Cảng {}|Lưới điện {}|Bệnh viện {}|Viễn thông {}',
  zh: '{}大学|{}银行|{}港务局|{}电网|{}总医院|{}通信',
} as const;

export type Language = keyof typeof languages;

/** The name of the organisation of this kind at a place, in the language. */
export function organisation(kind: Kind, language: Language, place: string): string {
  const pattern = languages[language].split('|')[kinds.indexOf(kind)];
  if (pattern === undefined) throw new Error(`language ${language} has no name for a ${kind}`);
  return pattern.replace('{}', place);
}

const unfoldable: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Latin text without diacritics, as old directories have it; text in other scripts is unchanged. */
export function plain(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .normalize('NFC');
  return bare.replaceAll(/[øłßæđðþı]/giu, (letter) => {
    const spelt = unfoldable[letter.toLowerCase()] ?? letter;
    return letter === letter.toLowerCase() ? spelt : spelt.charAt(0).toUpperCase() + spelt.slice(1);
  });
}

/** A host name label made of the text: lower-case ASCII letters, digits and hyphens. */
export function label(text: string): string {
  return plain(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

import type { Language } from './languages.js';

/** A fictitious place: its name as written there, and in Latin letters. */
export interface Place {
  readonly native: string;
  readonly latin: string;
}

/** A country with the language of its organisations and three fictitious places. */
export interface Country {
  readonly code: string;
  readonly name: string;
  readonly language: Language;
  readonly places: readonly Place[];
}

/** One line for each: code, English name, language, places (`native=latin` where the script is not Latin). */
const rows: readonly (readonly [string, string, Language, string])[] = [
  ['NO', 'Norway', 'no', 'Ålesvik|Tindhavn|Sørlykke'],
  ['SE', 'Sweden', 'sv', 'Häggvalla|Örnsele|Brånby'],
  ['DK', 'Denmark', 'da', 'Ærholm|Møllesund|Tranekilde'],
  ['FI', 'Finland', 'fi', 'Hiidenkylä|Suvilampi|Yöperä'],
  ['IS', 'Iceland', 'is', 'Þórsvík|Eiðanes|Hraunmörk'],
  ['EE', 'Estonia', 'et', 'Õunaranna|Küürsalu|Hõbelaid'],
  ['LT', 'Lithuania', 'lt', 'Žiedupė|Šiaurgiris|Ąžuolkalnis'],
  ['GB', 'the United Kingdom', 'en', 'Larkmoor|Wexcombe Regis|Dunbrae'],
  ['IE', 'Ireland', 'en', 'Ballyfarrow|Cnoc na Réalta|Glenarduin'],
  ['DE', 'Germany', 'de', 'Falkenrieth|Weißensund|Oberlühnstadt'],
  ['AT', 'Austria', 'de', 'Sankt Öden|Gletschbach|Murental'],
  ['CH', 'Switzerland', 'de', 'Zwölfbrunnen|Valdrey|Rhônecourt'],
  ['NL', 'the Netherlands', 'nl', 'Zwaanmeer|Oostervliet|Duinhavel'],
  ['FR', 'France', 'fr', 'Clairmarée-sur-Onde|Sept-Étangs|Montégrise'],
  ['ES', 'Spain', 'es', 'Peñaluz|Río Quieto|Castrombre'],
  ['PT', 'Portugal', 'pt', 'Vilar da Maré|São Bravo|Montalvor'],
  ['IT', 'Italy', 'it', "Ondachiara|Isola d'Ombra|Altofosco"],
  ['GR', 'Greece', 'el', 'Νεοθάλασσα=Neothalassa|Ασπρολίμανο=Asprolimano|Ηλιόπετρα=Iliopetra'],
  ['PL', 'Poland', 'pl', 'Łąkogóra|Źródłowiec|Świętobór'],
  ['CZ', 'Czechia', 'cs', 'Říčehrad|Tichovodí|Žďárnice'],
  ['RO', 'Romania', 'ro', 'Valea Ștearsă|Brădăuți|Țărmeni'],
  ['BG', 'Bulgaria', 'bg', 'Светломорие=Svetlomorie|Яворград=Yavorgrad|Белокрай=Belokray'],
  ['UA', 'Ukraine', 'uk', 'Зоряногірськ=Zorianohirsk|Їжакове=Yizhakove|Верболозь=Verboloz'],
  ['HU', 'Hungary', 'hu', 'Őzvölgy|Tündérháza|Kékrév'],
  ['JP', 'Japan', 'ja', '黒波=Kuronami|ゆきの浜=Yukinohama|緑ノ橋=Midorinohashi'],
  ['KR', 'the Republic of Korea', 'ko', '별바다=Byeolbada|청솔=Cheongsol|은하강=Eunhagang'],
  ['CN', 'China', 'zh', '云帆=Yunfan|碧岚=Bilan|松野=Songye'],
  ['VN', 'Viet Nam', 'vi', 'Sông Nguyệt|Đồi Thông|Hải Vọng'],
  ['TH', 'Thailand', 'th', 'ดาวทะเล=Daothale|น้ำใส=Namsai|ภูเมฆ=Phumek'],
  ['ID', 'Indonesia', 'id', 'Kota Purnama|Teluk Kelana|Gunung Seruni'],
  ['MY', 'Malaysia', 'id', 'Kuala Kasturi|Bukit Embun|Pantai Selasih'],
  ['SG', 'Singapore', 'en', 'Kelana Quay|Merbau Point|Straitsong'],
  ['IN', 'India', 'en', 'Nilgarh|Suryatal|Kamalvadi'],
  ['KZ', 'Kazakhstan', 'kk', 'Айқала=Aiqala|Тұмарсу=Tumarsu|Жұлдызтау=Zhuldyztau'],
  ['GE', 'Georgia', 'ka', 'ვარდისფერა=Vardispera|ცისკარა=Tsiskara|ზღვისთვალა=Zghvistvala'],
  ['AM', 'Armenia', 'hy', 'Լուսաբերդ=Lusaberd|Կապուտաձոր=Kaputadzor|Արևագետ=Arevaget'],
  ['IL', 'Israel', 'he', 'הר כוכב=Har Kochav|נווה גל=Neve Gal|עין לילך=Ein Lilach'],
  ['SA', 'Saudi Arabia', 'ar', 'واحة النجم=Wahat al-Najm|رأس الموج=Ras al-Mawj|تل الياسمين=Tall al-Yasmin'],
  ['AE', 'the United Arab Emirates', 'ar', 'خور الريح=Khor al-Rih|برج اللؤلؤ=Burj al-Lulu|شط السدرة=Shatt al-Sidra'],
  ['JO', 'Jordan', 'ar', 'وادي الغيم=Wadi al-Ghaym|عين الصخر=Ain al-Sakhr|قصر الريحان=Qasr al-Rayhan'],
  ['TR', 'Türkiye', 'tr', 'Işıkova|Çığlıdere|Gümüşırmak'],
  ['EG', 'Egypt', 'ar', 'مرسى القمر=Marsa al-Qamar|نجع النخيل=Naga al-Nakhil|ضفة الورد=Diffat al-Ward'],
  ['MA', 'Morocco', 'fr', "Oued Zahraa|Ras Noujoum|Tizi n'Azur"],
  ['KE', 'Kenya', 'en', 'Kilelemwezi|Mto Fedha|Bandari Njema'],
  ['NG', 'Nigeria', 'en', 'Odo Ireti|Kogin Zinare|Ugwu Anyanwu'],
  ['ZA', 'South Africa', 'en', 'Blouheuwel|Mvulaphanzi|Windkrans Bay'],
  ['SN', 'Senegal', 'fr', 'Keur Guedj|Baobab-sur-Mer|Pointe-aux-Hérons'],
  ['MU', 'Mauritius', 'fr', 'Belle-Lagune|Trou aux Étoiles|Mare Corail'],
  ['GH', 'Ghana', 'en', 'Nsuopa|Adinkra Hills|Sikaboso'],
  ['US', 'the United States', 'en', 'Cedar Lantern|Marlin Narrows|Prairie Hollow'],
  ['CA', 'Canada', 'en', 'Loonwater|Spruce Narrows|Lac-des-Brumes'],
  ['MX', 'Mexico', 'es', 'Agua Dormida|Nahuaco|Santa Niebla'],
  ['BR', 'Brazil', 'pt', 'Serra Lúcida|Pedra do Trovão|Baía Mansa'],
  ['AR', 'Argentina', 'es', 'Pampa Serena|Río Hondón|Ñandú Viejo'],
  ['CL', 'Chile', 'es', 'Puerto Neblina|Valle Cóndor|Ñirral'],
  ['CO', 'Colombia', 'es', 'Caño Dorado|Sierra Mansa|Villa Guadua'],
  ['PE', 'Peru', 'es', 'Puka Wasi|Qori Llaqta|Caleta Brava'],
  ['JM', 'Jamaica', 'en', 'Blue Heron Bay|Mango Ridge|Calypso Point'],
  ['AU', 'Australia', 'en', 'Wattle Crossing|Coral Heads|Ironbark Flat'],
  ['NZ', 'New Zealand', 'en', 'Kōwhai Flat|Te Awa Kura|Rātā Point'],
];

/** The sixty countries of the demo. */
export const countries: readonly Country[] = rows.map(([code, name, language, places]) => ({
  code,
  name,
  language,
  places: places.split('|').map(place),
}));

function place(text: string): Place {
  const [native = text, latin = text] = text.split('=');
  return { native, latin };
}

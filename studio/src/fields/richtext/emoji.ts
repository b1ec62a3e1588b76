// The emoji that can be chosen by name. Any other can be typed or pasted.

export interface Emoji {
  readonly sign: string;
  readonly en: string;
  readonly de: string;
}

const LIST = `
😀 grinning face|grinsendes Gesicht
😂 tears of joy|Freudentränen
🙂 smile|Lächeln
😉 wink|Zwinkern
😊 happy face|frohes Gesicht
😍 heart eyes|Herzaugen
😘 kiss|Kuss
😎 cool, sunglasses|cool, Sonnenbrille
🤔 thinking|nachdenklich
😐 neutral face|neutrales Gesicht
🙄 rolling eyes|verdrehte Augen
😴 sleeping|schlafend
😢 sad, tear|traurig, Träne
😭 crying|weinend
😡 angry|wütend
😱 scream|Schrei
🤗 hug|Umarmung
🤩 star eyes|Sternaugen
🥳 party face|Partygesicht
😇 halo, angel|Heiligenschein, Engel
🤖 robot|Roboter
👻 ghost|Geist
👍 thumbs up|Daumen hoch
👎 thumbs down|Daumen runter
👏 clapping|Applaus
🙌 raised hands|erhobene Hände
🙏 thank you, please|danke, bitte
👋 waving|winken
✌️ victory|Victory
👌 OK hand|OK-Zeichen
💪 strong arm|starker Arm
👉 pointing right|Zeigefinger rechts
👀 eyes|Augen
❤️ red heart|rotes Herz
🧡 orange heart|oranges Herz
💛 yellow heart|gelbes Herz
💚 green heart|grünes Herz
💙 blue heart|blaues Herz
💜 purple heart|lila Herz
🖤 black heart|schwarzes Herz
💔 broken heart|gebrochenes Herz
⭐ star|Stern
✨ sparkles|Funkeln
🔥 fire|Feuer
💥 boom|Knall
💯 hundred points|hundert Punkte
✅ check, done|Haken, erledigt
❌ cross, no|Kreuz, nein
❗ exclamation mark|Ausrufezeichen
❓ question mark|Fragezeichen
⚠️ warning|Warnung
ℹ️ information|Information
🚫 forbidden|verboten
➡️ arrow right|Pfeil nach rechts
⬅️ arrow left|Pfeil nach links
⬆️ arrow up|Pfeil nach oben
⬇️ arrow down|Pfeil nach unten
🔗 link|Link
📌 pin|Pinnnadel
📍 place|Ort
📅 calendar|Kalender
⏰ alarm clock|Wecker
⏳ hourglass|Sanduhr
💡 idea, lamp|Idee, Lampe
🔍 search, magnifier|Suche, Lupe
🔒 lock|Schloss
🔑 key|Schlüssel
🔧 tool, wrench|Werkzeug, Schraubenschlüssel
⚙️ settings, gear|Einstellungen, Zahnrad
📧 mail|E-Mail
📞 telephone|Telefon
📱 mobile phone|Handy
💻 laptop|Laptop
📷 camera|Kamera
🎥 film camera|Filmkamera
🎧 headphones|Kopfhörer
🎵 music|Musik
📚 books|Bücher
📖 open book|offenes Buch
📝 note|Notiz
✏️ pencil|Bleistift
📎 paper clip|Büroklammer
📊 bar chart|Balkendiagramm
📈 rising chart|steigende Kurve
📉 falling chart|fallende Kurve
💼 briefcase|Aktentasche
💰 money bag|Geldsack
💶 euro notes|Euroscheine
🛒 shopping cart|Einkaufswagen
🎁 gift|Geschenk
🎉 party, celebration|Party, Feier
🎂 birthday cake|Geburtstagstorte
🏆 trophy|Pokal
🥇 gold medal|Goldmedaille
🎯 target|Ziel
🚀 rocket|Rakete
✈️ plane|Flugzeug
🚗 car|Auto
🚲 bicycle|Fahrrad
🚆 train|Zug
🚢 ship|Schiff
🏠 house|Haus
🏢 office|Büro
🏫 school|Schule
🎓 graduation|Abschluss
🌍 earth|Erde
🌞 sun face|Sonnengesicht
☀️ sun|Sonne
🌙 moon|Mond
☁️ cloud|Wolke
🌧️ rain|Regen
❄️ snowflake|Schneeflocke
🌈 rainbow|Regenbogen
🌊 wave|Welle
🌳 tree|Baum
🌱 seedling|Keimling
🍀 four-leaf clover|vierblättriges Kleeblatt
🌸 blossom|Blüte
🌻 sunflower|Sonnenblume
🐶 dog|Hund
🐱 cat|Katze
🐝 bee|Biene
🦋 butterfly|Schmetterling
🍎 apple|Apfel
🍕 pizza|Pizza
🍰 cake|Kuchen
☕ coffee|Kaffee
🍺 beer|Bier
🍷 wine|Wein
🥂 cheers|Prost
⚽ football|Fußball
🎨 art, palette|Kunst, Palette
♻️ recycling|Recycling
🆕 new|neu
©️ copyright|Copyright
™️ trade mark|Marke
`;

export const EMOJI: readonly Emoji[] = LIST.trim().split('\n').map((line) => {
  const [sign = '', ...rest] = line.split(' ');
  const [en = '', de = ''] = rest.join(' ').split('|');
  return { sign, en, de };
});

import { anyOf, sequence } from '@overture/ground/text/patterns.ts'

const receiptCharsMax = 700

/** Words of programs for a message that was opened. The date after them distinguishes them from a person's words. */
const opened = anyOf(
  [
    sequence([
      /^.{0,40}?\byour (?:message|e-?mail|mail|document)\b.{0,300}?/,
      /\b(?:was|has been) (?:(?:read|displayed|opened)(?! by\b)|deleted without being read|received by)\b.{0,60}?\d/,
    ]),
    sequence([
      /^.{0,40}?\bthis is an? /,
      [/(?:return|read) receipt for\b/, /receipt for the mail (?:that )?you sent\b/],
    ]),
    /\bthis return receipt only acknowledges that\b/,
    sequence([
      /^.{0,40}?\b(?:ihre|deine) (?:nachricht|e-?mail|mail)\b.{0,300}?/,
      [
        /\bwurde (?:am|um)\b.{0,80}?\d.{0,60}?\b(?:gelesen|angezeigt|geöffnet|ungelesen gelöscht)/,
        /\bwurde (?:gelesen|angezeigt|geöffnet|ungelesen gelöscht) (?:am|um)\b.{0,40}?\d/,
      ],
    ]),
    /^.{0,40}?\bvotre (?:message|courriel|e-?mail|mail)\b.{0,300}?\ba été (?:lu|ouvert|affiché|supprimé sans être lu)\b.{0,60}?\d/,
    /^.{0,40}?\b(?:su|tu|el) (?:mensaje|correo)\b.{0,300}?\b(?:se leyó|fue leído|ha sido leído|se ha leído)(?!\p{L}).{0,60}?\d[./:-]\d/u,
    /^.{0,40}?\b(?:il (?:(?:suo|tuo) )?messaggio|la (?:sua|tua) e-?mail)\b.{0,300}?(?<!\p{L})è stat[oa] lett[oa]\b.{0,60}?\d[./:-]\d/u,
    /^.{0,40}?\b(?:uw|je) (?:bericht|e-?mail|mail)\b.{0,300}?\b(?:is|werd) gelezen\b.{0,60}?\d/,
    /^.{0,40}?\b(?:a )?sua mensagem\b.{0,300}?\bfoi lida\b.{0,60}?\d/,
    sequence([
      /^.{0,40}?\b(?:din|ditt|dit) (?:besked|meddelelse|meddelande|melding|e-?post|e-?mail)\b.{0,300}?/,
      /\b(?:er|har|är|blev|ble|blivit) (?:blevet |blitt )?(?:læst|lest|läst)\b.{0,60}?\d[./:-]\d/,
    ]),
  ],
  'iu',
)

/** Whether a plain text is a read receipt from a program that does not use the format of RFC 8098. */
export function isReceiptText(text: string): boolean {
  const flat = text.trim().replace(/\s+/g, ' ')
  return flat.length <= receiptCharsMax && opened.test(flat)
}

import type { BookingWords } from './words.ts'

export const de: BookingWords = {
  minutes: '{count} Minuten',
  host: 'mit {name}',
  now: 'Bisher: {when}',
  zone: 'Zeiten in der Zeitzone',
  changeZone: 'Zeitzone ändern',
  noTimes: 'In den nächsten Wochen ist keine Zeit frei. Bitte versuchen Sie es später noch einmal.',
  error: 'Fehler: {title}',
  chooseTime: 'Wählen Sie eine Zeit',
  details: 'Ihre Angaben',
  name: 'Ihr Name',
  email: 'Ihre E-Mail-Adresse',
  book: 'Diese Zeit buchen',
  move: 'Termin verschieben',
  later: 'Spätere Tage zeigen',
  oneTime: '1 Zeit',
  times: '{count} Zeiten',
  cancel: 'Termin absagen',
  when: '{date} um {time} Uhr ({zone})',
  canceled: 'Dieser Termin wurde abgesagt',
  booked: 'Ihr Termin ist gebucht',
  over: 'Dieser Termin ist vorbei',
  join: 'Am Gespräch teilnehmen',
  invited: 'Wir senden Ihnen eine Einladung per E-Mail.',
  change: 'Verschieben oder absagen',
  calendar: 'In den Kalender eintragen',
  ask: 'Diese Zeit buchen?',
  otherTime: 'Eine andere Zeit wählen',
  confirmTitle: 'Bestätigen Sie Ihre E-Mail-Adresse',
  confirmText:
    'Wir senden eine E-Mail an {address}. Bitte öffnen Sie den Link darin innerhalb eines Tages, um die Zeit zu ' +
    'buchen, falls sie noch frei ist. Wenn in einigen Minuten keine E-Mail ankommt, kann diese Adresse keine E-Mails ' +
    'von uns erhalten.',
  address:
    'Diese Adresse hat schon drei Termine vor sich. Bitte verschieben Sie zuerst einen davon, oder sagen Sie ihn ab.',
  hour: 'In der letzten Stunde wurden viele Termine angefragt. Bitte versuchen Sie es etwas später noch einmal.',
  moves:
    'Dieser Termin wurde schon dreimal verschoben. Bitte antworten Sie auf die Einladung, um eine andere Zeit zu ' +
    'vereinbaren.',
  notices: 'An diese Adresse gingen heute zu viele E-Mails. Bitte versuchen Sie es morgen noch einmal.',
  confirmations: 'An diese Adresse gingen heute mehrere E-Mails. Bitte öffnen Sie den Link in einer davon.',
  taken: 'Diese Zeit wurde gerade vergeben. Bitte wählen Sie eine andere.',
  closedTitle: 'Nicht mehr möglich',
  closedText: 'Dieser Termin kann hier nicht mehr gebucht oder verschoben werden.',
  expiredTitle: 'Dieser Link ist abgelaufen',
  expiredText: 'Er galt einen Tag. Bitte wählen Sie noch einmal eine Zeit.',
  lostTitle: 'Seite nicht gefunden',
  lostText: 'Dieser Link führt zu keiner Buchungsseite.',
  needTime: 'Bitte wählen Sie eine Zeit.',
  needEmail: 'Bitte geben Sie eine gültige E-Mail-Adresse ein.',
  needName: 'Bitte geben Sie Ihren Namen ein.',
}

import type { OptOutWords } from './words.ts'

export const de: OptOutWords = {
  from: 'von {name}',
  fromUnknown: 'von diesem Absender',
  states: {
    ask: ['Keine E-Mails mehr {from}?', '{address} erhält dann keine E-Mails mehr {from}.'],
    done: ['Sie sind abgemeldet', '{address} erhält keine E-Mails mehr {from}. Sie können diese Seite schließen.'],
    other: [
      'Die Adresse ist abgemeldet',
      'Diese Adresse erhält keine E-Mails mehr {from}. Sie können diese Seite schließen.',
    ],
    invalid: ['Das ist keine E-Mail-Adresse', 'Bitte geben Sie die ganze Adresse ein.'],
    too_many: [
      'Zu viele Adressen',
      'Über diesen Link lässt sich keine weitere Adresse abmelden. Bitte antworten Sie mit dem Wort „unsubscribe“ auf die Nachricht.',
    ],
    gone: [
      'Dieses Konto wurde geschlossen',
      'Der Absender hat das Konto geschlossen, und alle Daten über Sie wurden gelöscht. Sie erhalten von ihm keine E-Mails mehr.',
    ],
    failed: [
      'Sie sind noch nicht abgemeldet',
      'Ihre Anfrage konnte nicht gespeichert werden. Bitte versuchen Sie es in einer Minute erneut, oder antworten Sie mit dem ' +
        'Wort „unsubscribe“ auf die Nachricht.',
    ],
    unknown: [
      'Dieser Link funktioniert nicht',
      'Der Link ist unvollständig oder ungültig. Bitte verwenden Sie den ganzen Link aus der Nachricht.',
    ],
  },
  confirm: 'Ja, abmelden',
  another: {
    title: 'Eine andere Adresse?',
    text: 'Wenn das nicht Ihre Adresse ist, geben Sie die Adresse ein, an die die Nachricht ging.',
    button: 'Diese Adresse abmelden',
  },
}

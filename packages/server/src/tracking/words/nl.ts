import type { OptOutWords } from './words.ts'

export const nl: OptOutWords = {
  from: 'van {name}',
  fromUnknown: 'van deze afzender',
  states: {
    ask: ['Geen e-mails meer {from}?', '{address} krijgt dan geen e-mails meer {from}.'],
    done: ['U bent afgemeld', '{address} krijgt geen e-mails meer {from}. U kunt deze pagina sluiten.'],
    other: ['Het adres is afgemeld', 'Het krijgt geen e-mails meer {from}. U kunt deze pagina sluiten.'],
    invalid: ['Dit is geen e-mailadres', 'Vul het hele adres in.'],
    too_many: [
      'Te veel adressen',
      'Met deze link kan geen ander adres meer worden afgemeld. Beantwoord het bericht met het woord “unsubscribe”.',
    ],
    gone: [
      'Dit account is gesloten',
      'De afzender heeft het account gesloten en alle gegevens over u zijn verwijderd. U krijgt geen e-mails meer van deze afzender.',
    ],
    failed: [
      'U bent nog niet afgemeld',
      'Uw verzoek kon niet worden opgeslagen. Probeer het over een minuut opnieuw of beantwoord het bericht met het woord ' +
        '“unsubscribe”.',
    ],
    unknown: ['Deze link werkt niet', 'De link is onvolledig of ongeldig. Gebruik de hele link uit het bericht.'],
  },
  confirm: 'Ja, afmelden',
  another: {
    title: 'Een ander adres?',
    text: 'Als dit niet uw adres is, vul dan het adres in waarop het bericht is ontvangen.',
    button: 'Dit adres afmelden',
  },
}

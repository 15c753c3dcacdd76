import type { OptOutWords } from './words.ts'

export const da: OptOutWords = {
  from: 'fra {name}',
  fromUnknown: 'fra denne afsender',
  states: {
    ask: ['Ikke flere e-mails {from}?', '{address} får så ikke flere e-mails {from}.'],
    done: ['Du er afmeldt', '{address} får ikke flere e-mails {from}. Du kan lukke siden.'],
    other: ['Adressen er afmeldt', 'Den får ikke flere e-mails {from}. Du kan lukke siden.'],
    invalid: ['Dette er ikke en e-mailadresse', 'Skriv hele adressen.'],
    too_many: [
      'For mange adresser',
      'Linket kan ikke afmelde flere adresser. Svar på beskeden med ordet ”unsubscribe”.',
    ],
    gone: [
      'Kontoen er lukket',
      'Afsenderen har lukket kontoen, og alle data om dig er slettet. Du får ikke flere e-mails derfra.',
    ],
    failed: [
      'Du er endnu ikke afmeldt',
      'Din anmodning kunne ikke gemmes. Prøv igen om et minut, eller svar på beskeden med ordet ”unsubscribe”.',
    ],
    unknown: ['Linket virker ikke', 'Linket er ufuldstændigt eller ugyldigt. Brug hele linket i beskeden.'],
  },
  confirm: 'Ja, afmeld mig',
  another: {
    title: 'En anden adresse?',
    text: 'Hvis dette ikke er din adresse, så skriv den, der fik beskeden.',
    button: 'Afmeld denne adresse',
  },
}

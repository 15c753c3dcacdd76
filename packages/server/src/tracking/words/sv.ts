import type { OptOutWords } from './words.ts'

export const sv: OptOutWords = {
  from: 'från {name}',
  fromUnknown: 'från den här avsändaren',
  states: {
    ask: ['Inga fler mejl {from}?', '{address} får då inga fler mejl {from}.'],
    done: ['Du är avregistrerad', '{address} får inga fler mejl {from}. Du kan stänga sidan.'],
    other: ['Adressen är avregistrerad', 'Den får inga fler mejl {from}. Du kan stänga sidan.'],
    invalid: ['Det här är ingen e-postadress', 'Skriv hela adressen.'],
    too_many: [
      'För många adresser',
      'Inga fler adresser kan avregistreras med den här länken. Svara på meddelandet med ordet ”unsubscribe”.',
    ],
    gone: [
      'Kontot har stängts',
      'Avsändaren har stängt kontot och alla uppgifter om dig har raderats. Du får inga fler mejl därifrån.',
    ],
    failed: [
      'Du är inte avregistrerad än',
      'Din begäran kunde inte sparas. Försök igen om en minut eller svara på meddelandet med ordet ”unsubscribe”.',
    ],
    unknown: ['Länken fungerar inte', 'Länken är ofullständig eller ogiltig. Använd hela länken i meddelandet.'],
  },
  confirm: 'Ja, avregistrera mig',
  another: {
    title: 'En annan adress?',
    text: 'Om det här inte är din adress, skriv den som fick meddelandet.',
    button: 'Avregistrera den här adressen',
  },
}

import type { OptOutWords } from './words.ts'

export const pl: OptOutWords = {
  from: 'od nadawcy {name}',
  fromUnknown: 'od tego nadawcy',
  states: {
    ask: ['Zrezygnować z e-maili {from}?', '{address} nie będzie już otrzymywać e-maili {from}.'],
    done: ['Wypisano z listy', '{address} nie otrzymuje już e-maili {from}. Możesz zamknąć tę stronę.'],
    other: ['Adres został wypisany', 'Nie otrzymuje już e-maili {from}. Możesz zamknąć tę stronę.'],
    invalid: ['To nie jest adres e-mail', 'Wpisz cały adres.'],
    too_many: [
      'Zbyt wiele adresów',
      'Ten link nie pozwala wypisać kolejnego adresu. Odpowiedz na wiadomość słowem „unsubscribe”.',
    ],
    gone: [
      'To konto zostało zamknięte',
      'Nadawca zamknął konto, a wszystkie dane o Tobie zostały usunięte. Nie będziesz już otrzymywać od niego e-maili.',
    ],
    failed: [
      'Adres nie został jeszcze wypisany',
      'Nie udało się zapisać prośby. Spróbuj ponownie za minutę albo odpowiedz na wiadomość słowem „unsubscribe”.',
    ],
    unknown: ['Ten link nie działa', 'Link jest niepełny lub nieprawidłowy. Użyj całego linku z wiadomości.'],
  },
  confirm: 'Tak, wypisz mnie',
  another: {
    title: 'Inny adres?',
    text: 'Jeśli to nie Twój adres, wpisz ten, na który przyszła wiadomość.',
    button: 'Wypisz ten adres',
  },
}

import type { OptOutWords } from './words.ts'

export const it: OptOutWords = {
  from: 'da {name}',
  fromUnknown: 'da questo mittente',
  states: {
    ask: ['Smettere di ricevere email {from}?', '{address} non riceverà più email {from}.'],
    done: ['L’iscrizione è annullata', '{address} non riceve più email {from}. Può chiudere questa pagina.'],
    other: [
      'L’iscrizione dell’indirizzo è annullata',
      'Questo indirizzo non riceve più email {from}. Può chiudere questa pagina.',
    ],
    invalid: ['Questo non è un indirizzo email', 'Inserisca l’indirizzo completo.'],
    too_many: [
      'Troppi indirizzi',
      'Con questo link non si può annullare l’iscrizione di altri indirizzi. Risponda al messaggio con la parola «unsubscribe».',
    ],
    gone: [
      'Questo account è stato chiuso',
      'Il mittente ha chiuso l’account e tutti i dati su di Lei sono stati eliminati. Non riceverà più le sue email.',
    ],
    failed: [
      'L’iscrizione non è ancora annullata',
      'Non è stato possibile salvare la richiesta. Riprovi tra un minuto oppure risponda al messaggio con la parola «unsubscribe».',
    ],
    unknown: ['Questo link non funziona', 'Il link è incompleto o non valido. Usi il link intero del messaggio.'],
  },
  confirm: 'Sì, annulla l’iscrizione',
  another: {
    title: 'Un altro indirizzo?',
    text: 'Se questo non è il Suo indirizzo, inserisca quello che ha ricevuto il messaggio.',
    button: 'Annulla l’iscrizione di questo indirizzo',
  },
}

import type { OptOutWords } from './words.ts'

export const pt: OptOutWords = {
  from: 'de {name}',
  fromUnknown: 'deste remetente',
  states: {
    ask: ['Não receber mais e-mails {from}?', '{address} não receberá mais e-mails {from}.'],
    done: ['A sua inscrição foi cancelada', '{address} já não recebe e-mails {from}. Pode fechar esta página.'],
    other: ['A inscrição do endereço foi cancelada', 'Já não recebe e-mails {from}. Pode fechar esta página.'],
    invalid: ['Isto não é um endereço de e-mail', 'Escreva o endereço completo.'],
    too_many: [
      'Demasiados endereços',
      'Este link não permite cancelar mais nenhum endereço. Responda à mensagem com a palavra “unsubscribe”.',
    ],
    gone: [
      'Esta conta foi encerrada',
      'O remetente encerrou a conta e todos os dados sobre si foram apagados. Não receberá mais e-mails dele.',
    ],
    failed: [
      'A sua inscrição ainda não foi cancelada',
      'Não foi possível guardar o seu pedido. Tente novamente dentro de um minuto ou responda à mensagem com a palavra “unsubscribe”.',
    ],
    unknown: ['Este link não funciona', 'O link está incompleto ou não é válido. Use o link completo da mensagem.'],
  },
  confirm: 'Sim, cancelar a inscrição',
  another: {
    title: 'Outro endereço?',
    text: 'Se este não é o seu endereço, escreva aquele que recebeu a mensagem.',
    button: 'Cancelar a inscrição deste endereço',
  },
}

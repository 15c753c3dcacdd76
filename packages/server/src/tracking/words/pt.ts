import type { OptOutWords } from './words.ts'

export const pt: OptOutWords = {
  from: 'de {name}',
  fromUnknown: 'deste remetente',
  states: {
    ask: ['Deixar de receber e-mails {from}?', '{address} não receberá mais e-mails {from}.'],
    done: ['A sua inscrição foi cancelada', '{address} não recebe mais e-mails {from}. Pode fechar esta página.'],
    other: [
      'A inscrição do endereço foi cancelada',
      'Este endereço não recebe mais e-mails {from}. Pode fechar esta página.',
    ],
    invalid: ['Isto não é um endereço de e-mail', 'Escreva o endereço completo.'],
    too_many: [
      'Endereços demais',
      'Este link não permite cancelar a inscrição de mais endereços. Responda à mensagem com a palavra “unsubscribe”.',
    ],
    gone: [
      'Esta conta foi encerrada',
      'O remetente encerrou a conta. Não receberá mais e-mails dele e todos os seus dados pessoais foram apagados.',
    ],
    failed: [
      'A sua inscrição ainda não foi cancelada',
      'Não foi possível processar o seu pedido. Tente novamente daqui a um minuto ou responda à mensagem com a palavra “unsubscribe”.',
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

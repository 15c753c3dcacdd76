import type { OptOutWords } from './words.ts'

export const fr: OptOutWords = {
  from: 'envoyés par {name}',
  fromUnknown: 'envoyés par cet expéditeur',
  states: {
    ask: ['Ne plus recevoir les e-mails {from}\u202f?', '{address} ne recevra plus d’e-mails {from}.'],
    done: [
      'Votre désinscription est enregistrée',
      '{address} ne reçoit plus d’e-mails {from}. Vous pouvez fermer cette page.',
    ],
    other: ['L’adresse est désinscrite', 'Elle ne reçoit plus d’e-mails {from}. Vous pouvez fermer cette page.'],
    invalid: ['Ce n’est pas une adresse e-mail', 'Veuillez saisir l’adresse complète.'],
    too_many: [
      'Trop d’adresses',
      'Ce lien ne permet pas de désinscrire une autre adresse. Veuillez répondre au message par le mot «\u00a0unsubscribe\u00a0».',
    ],
    gone: [
      'Ce compte a été fermé',
      'L’expéditeur a fermé le compte et toutes les données vous concernant ont été supprimées. Vous ne recevrez plus ' +
        'd’e-mails de sa part.',
    ],
    failed: [
      'La désinscription n’a pas abouti',
      'Votre demande n’a pas pu être enregistrée. Veuillez réessayer dans une minute ou répondre au message par le mot ' +
        '«\u00a0unsubscribe\u00a0».',
    ],
    unknown: [
      'Ce lien ne fonctionne pas',
      'Le lien est incomplet ou non valide. Veuillez utiliser le lien entier du message.',
    ],
  },
  confirm: 'Oui, me désinscrire',
  another: {
    title: 'Une autre adresse\u202f?',
    text: 'Si ce n’est pas votre adresse, saisissez celle qui a reçu le message.',
    button: 'Désinscrire cette adresse',
  },
}

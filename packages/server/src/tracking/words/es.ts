import type { OptOutWords } from './words.ts'

export const es: OptOutWords = {
  from: 'de {name}',
  fromUnknown: 'de este remitente',
  states: {
    ask: ['¿Dejar de recibir correos {from}?', '{address} no recibirá más correos {from}.'],
    done: ['Se ha dado de baja', '{address} ya no recibe correos {from}. Puede cerrar esta página.'],
    other: ['La dirección se ha dado de baja', 'Esta dirección ya no recibe correos {from}. Puede cerrar esta página.'],
    invalid: ['Esto no es una dirección de correo electrónico', 'Escriba la dirección completa.'],
    too_many: [
      'Demasiadas direcciones',
      'Con este enlace no se puede dar de baja ninguna otra dirección. Responda al mensaje con la palabra «unsubscribe».',
    ],
    gone: [
      'Esta cuenta se cerró',
      'El remitente cerró la cuenta y se borraron todos los datos sobre usted. Ya no recibirá correos de este remitente.',
    ],
    failed: [
      'Aún no se ha dado de baja',
      'No se pudo guardar su solicitud. Inténtelo de nuevo en un minuto o responda al mensaje con la palabra «unsubscribe».',
    ],
    unknown: [
      'Este enlace no funciona',
      'El enlace está incompleto o no es válido. Use el enlace completo del mensaje.',
    ],
  },
  confirm: 'Sí, darme de baja',
  another: {
    title: '¿Otra dirección?',
    text: 'Si esta no es su dirección, escriba la que recibió el mensaje.',
    button: 'Dar de baja esta dirección',
  },
}

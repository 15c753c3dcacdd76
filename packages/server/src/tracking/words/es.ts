import type { OptOutWords } from './words.ts'

export const es: OptOutWords = {
  from: 'de {name}',
  fromUnknown: 'de este remitente',
  states: {
    ask: ['¿No recibir más correos {from}?', '{address} no recibirá más correos {from}.'],
    done: ['Su suscripción está cancelada', '{address} ya no recibe correos {from}. Puede cerrar esta página.'],
    other: ['La suscripción de la dirección está cancelada', 'Ya no recibe correos {from}. Puede cerrar esta página.'],
    invalid: ['Esto no es una dirección de correo', 'Escriba la dirección completa.'],
    too_many: [
      'Demasiadas direcciones',
      'Con este enlace no se puede dar de baja ninguna otra dirección. Responda al mensaje con la palabra «unsubscribe».',
    ],
    gone: [
      'Esta cuenta se cerró',
      'El remitente cerró la cuenta y se borraron todos los datos sobre usted. Ya no recibirá correos suyos.',
    ],
    failed: [
      'Su suscripción aún no está cancelada',
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

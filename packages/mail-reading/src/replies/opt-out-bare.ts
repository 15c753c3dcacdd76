import { repeated, sequence } from '@overture/ground/text/patterns.ts'

const polite = [
  /please|pls|plz|kindly|hi|hello|hey|dear|thanks|thank you|thx|sorry|all|team|sir|madam|just|now/,
  /immediately|asap|bitte|danke|sofort|vielen dank|hallo|merci|svp|s'il vous plaît|s il vous plait/,
  /bonjour|por favor|gracias|hola|grazie|per favore|ciao|buongiorno|obrigad[oa]|olá|graag|alstublieft|aub/,
  /bedankt|tack|vänligen|tak|venligst|takk|proszę|dziękuję|prosím|děkuji|пожалуйста|спасибо|no|nope/,
  /no thanks|not interested|no interest|kein interesse|pas intéressé|no me interesa|non interessat[oi]/,
  /geen interesse|お願いします|をお願いします|ください|请|謝謝|谢谢/,
]
const alone = [
  /unsubscribed?(?: me| us)?|stop(?: it| this| now)?|remove(?: me| us)?(?: please)?/,
  /(?:remove|delete|off)(?: me| us)? (?:from )?(?:the |your |this )?(?:mailing |e ?mail )?list|opt ?out/,
  /opt me out|take me off|cancel(?: my)? subscription|delete me|no more (?:e ?)?mails?/,
  /do not (?:contact|e ?mail)(?: me| us)?|leave me alone|no more/,
  /(?:meine )?(?:e ?mail ?)?(?:adresse|daten|kontaktdaten) (?:bitte )?(?:löschen|entfernen|austragen)/,
  /go away|plus (?:de|aucun) (?:e ?mails?|mails?|messages?|courriels?)|abmelden|abmeldung/,
  /(?:newsletter )?abbestellen|austragen|löschen|bitte abmelden|désabonner|désinscription|désinscrire/,
  /se désabonner|desabonnement|stop pub|darme de baja|denme de baja|baja|dar de baja/,
  /solicito (?:la )?baja|cancelar suscripción|basta (?:e ?)?mails?|cancella|cancellami|cancellatemi/,
  /cancellateci|cancellazione|disiscrizione|disiscrivimi|disiscrivetemi|disiscriversi|rimuovimi/,
  /rimuovetemi|eliminatemi|toglietemi|remover|descadastrar|cancelar inscrição|afmelden|uitschrijven/,
  /schrijf mij uit|meld mij af|stop mails|geen mails meer|avregistrera|avsluta|avprenumerera|afmeld/,
  /frameld|avmeld|meld meg av|peruuta|poista|wypisz|wypisać|rezygnuję|odhlásit|odhlásiť|отписаться/,
  /отпишите|отписка|відписатися|leiratkozás|leiratkozom|dezabonare|abonelikten çık|配信停止|配信停止希望|退订|退訂|取消订阅/,
  /取消訂閱|수신거부|구독취소|הסר|إلغاء الاشتراك/,
]
/** Matches the whole text, in lower case with single spaces: a request of one or two words, with polite words around it. */
export const saysOnlyOptOut = sequence(
  [/^/, repeated([sequence([polite, ' '])], '{0,4}'), alone, repeated([sequence([' ', polite])], '{0,4}'), /$/],
  'iu',
)

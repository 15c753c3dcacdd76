import { anyOf, sequence } from '@overture/ground/text/patterns.ts'

/** The same requests in French, Spanish, Italian and Portuguese. */
export const romanceRequests: readonly RegExp[] = [
  sequence(
    [
      /\b/,
      [/désabonnez|désinscrivez|désinscrire|désabonner|retirez|supprimez|enlevez|rayez|effacez/],
      /[- ]?(?:moi|nous|mon|mes|notre|me)?[^.!?]{0,40}/,
      [/de (?:votre|vos|la|cette|ces)|liste|adresse|base|mail|moi|données|$/],
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:ne (?:plus|pas) (?:me|nous|m'|recevoir)|ne (?:me|m'|nous) [^.!?]{0,30}plus)[^.!?]{0,40}/,
      /(?:contact|écri|envoy|mail|message|sollicit|recevoir|adress)/,
    ],
    'i',
  ),
  /\b(?:ne (?:souhaite|veux|désire)[^.!?]{0,10} (?:plus|pas) (?:recevoir|être (?:contact|sollicit|démarch)))/i,
  anyOf(
    [
      sequence([
        /(?<!\p{L})/u,
        [/me|nous|m['’]|mon (?:adresse|e-?mail|mail|nom)|mes (?:données|coordonnées)/],
        / ?/,
        [/retirer|supprimer|désinscrire|désabonner|enlever|rayer|effacer|radier|ôter/],
        /[^.!?]{0,40}(?:de (?:votre|vos|la|cette|ces)|liste|base|fichier|[.!\s]{0,5}$)/,
      ]),
      sequence([
        /(?<!\p{L})(?:retirer|supprimer|enlever|effacer|rayer) (?:mon|mes|notre|nos) [^.!?]{0,30}/u,
        /(?:liste|base|fichier|adresse|données|coordonnées)/,
      ]),
    ],
    'iu',
  ),
  /\b(?:arrêtez|cessez) de (?:m'|me |nous |m’)?(?:écrire|contacter|envoyer|spammer|harceler|solliciter)/i,
  anyOf(
    [
      /(?<!\p{L})(?:veuillez|merci de|prière de|svp,?) cesser/u,
      /(?<!\p{L})cess(?:ez|er) (?:tout|toute|vos|ces|cet|immédiatement)/u,
      sequence([
        /(?<!\p{L})ne (?:me|nous|m['’]) ?/u,
        /(?:contact|écri|envoy|sollicit|relanc|démarch|mail|dérang)\p{L}{0,6} plus(?!\p{L})/u,
      ]),
    ],
    'iu',
  ),
  anyOf(
    [
      /(?<!\p{L})(?:inutile|pas la peine) de (?:me|nous) (?:re)?(?:contact|écri|relanc|solicit)\p{L}*/u,
      /(?<!\p{L})(?:quero|queremos|gostaria de|desejo) sair d/u,
      sequence([
        /(?<!\p{L})(?:vil|ønsker|vill|önskar) (?:ikke|inte|ej) (?:længere |lenger |längre )?/u,
        /(?:at |å |att )?(?:ha|have|modtage|motta|få|ta emot)[^.!?]{0,12}/,
        [/fler|flere|mer|mere|mails?|e-?post|mejl|beskeder|meddelanden/],
      ]),
      /(?<!\p{L})en (?:halua|tarvitse) (?:enää|enempää|lisää|näitä|teidän|mitään)/u,
      /勿再?[给給]?我?(?:发|發|寄)(?:送|邮|郵|信|来|此|给|給)/,
      /我(?:们|們|的\S{0,6})?[^。]{0,4}(?:从|從)[^。]{0,12}(?:名单|名單|列表|邮件列表)[^。]{0,6}(?:删除|刪除|移除)/,
    ],
    'iu',
  ),
  /(?<!\p{L})stop (?:aux |les |à |avec les |avec vos )?(?:mails?|e-?mails?|messages|pubs?|relances)(?!\p{L})/iu,
  sequence(
    [
      /\b/,
      [
        /d(?:ar|en|ame|arme|enme|ad)?me de baja|d[ée]nme de baja|dar(?:me|nos) de baja/,
        /quiero (?:darme de baja|cancelar)|b[oó]rr(?:en|a|e)me/,
        /elim[ií]n(?:en|a|e)(?:me|nme)?[^.!?]{0,20}(?:de (?:su|la|tu)|lista|base)/,
        /qu[ií]t(?:en|a|e)(?:me|nme)[^.!?]{0,20}lista/,
      ],
    ],
    'i',
  ),
  anyOf(
    [
      sequence([
        /\b/,
        [
          /solicit\p{L}{1,5}|pid\p{L}{1,3}|rueg\p{L}{1,3}|quier\p{L}{1,4}|dese\p{L}{1,3}|tramit\p{L}{1,4}/u,
          /proced\p{L}{1,4}/u,
        ],
        /[^.!?]{0,25}\b(?:la |mi )?baja (?:de|en|inmediata|del)/,
      ]),
      /(?:me|nos) (?:elimin|borr|quit|saqu|retir)(?:en|e|an|a)\b[^.!?]{0,30}(?:lista|base|correo)/,
    ],
    'iu',
  ),
  sequence(
    [
      /\b/,
      [
        /no (?:me|nos) (?:escrib|contact|env[ií]|mand|molest)[^.!?]{0,30}(?:más|mas|nunca|nuevamente)/,
        /no (?:deseo|quiero|deseamos) (?:recibir|seguir recibiendo)/,
        /dej(?:e|en|a) de (?:escribir|contactar|enviar|mandar|molestar)(?:me|nos)?/,
      ],
    ],
    'i',
  ),
  sequence(
    [
      /(?<!\p{L})/u,
      [
        sequence([
          /(?:borr|elimin|suprim)(?:en|a|e|ar) /,
          [/mis datos|mi (?:correo|e-?mail|dirección|nombre|información)/],
        ]),
        /cancel(?:ar|en|e) (?:mi |la )?(?:suscripci[oó]n|inscripci[oó]n)/,
        /no (?:vuelva|vuelvan|vuelvas) a (?:escrib|contact|env|mand|molest)\p{L}{0,8}/u,
      ],
    ],
    'iu',
  ),
  anyOf(
    [
      sequence([
        /(?<!\p{L})(?:quier[oe]|queremos|dese[oa]|deseamos|quisiera|gustaría) /u,
        [/dejar de recibir|ser (?:eliminad|borrad|removid|retirad|dad[oa] de baja)/],
      ]),
      sequence([
        /(?<!\p{L})(?:quero|queremos|gostaria de|desejo) /u,
        [/(?:parar|deixar) de receber|ser (?:removid|retirad|excluíd|eliminad|descadastrad)/],
      ]),
      /(?:vorrei|voglio|vorremmo|desidero) smettere di ricevere/,
      /(?:souhaite|veux|voudrais|aimerais) (?:arrêter|cesser) de recevoir/,
    ],
    'iu',
  ),
  sequence(
    [
      /\b/,
      [
        /cancell(?:a|ate|i|are)(?:mi|temi|telo)?|rimuov(?:i|ete|a|ere)(?:mi|temi)?/,
        /elimin(?:a|ate|i)(?:mi|temi)|toglie?te?(?:mi|temi)|disiscriv\w{1,8}/,
      ],
      /[^.!?]{0,30}/,
      [/dalla|da (?:questa|vostra)|lista|mailing|il mio|indirizzo|dal vostro|newsletter/],
    ],
    'i',
  ),
  sequence(
    [
      /\b/,
      [
        sequence([
          /non /,
          [/scrivete|contattate|inviate|mandate|scriver|contattar|inviar/],
          /(?:mi|temi|eci|ci)?[^.!?]{0,20}(?:più|mail|messaggi)/,
        ]),
        /non (?:desidero|voglio|vogliamo) (?:più )?(?:ricevere|essere contattat)/,
        /smett(?:ete|i|etela) di (?:scriver|inviar|mandar|contattar)/,
      ],
    ],
    'i',
  ),
  sequence(
    [
      /(?<!\p{L})/u,
      [
        /(?:essere|venire) (?:rimoss|cancellat|eliminat|esclus|tolt)[oaie]/,
        sequence([
          /(?:chied|richied|esig|desider|vogli)\p{L}{1,4}[^.!?]{0,20}/u,
          /(?:cancellazione|rimozione|eliminazione|disiscrizione)/,
        ]),
      ],
    ],
    'iu',
  ),
  anyOf(
    [
      /(?<!\p{L})s[aá](?:quen|que|ca|car)(?:me|nos)[^.!?]{0,30}(?:lista|base|correo)/u,
      /(?<!\p{L})smett(?:a|ete|i|etela|ila)[^.!?]{0,10} di (?:scriver|contattar|mandar|inviar|spammar)/u,
      /(?<!\p{L})par(?:em|e|a) de (?:me |nos )?(?:enviar|mandar|escrever|contactar|contatar|spammar)/u,
    ],
    'iu',
  ),
  sequence(
    [
      /\b/,
      [
        /remov(?:a|am|er)[- ]?(?:me|nos|o meu|meu)|retir(?:e|em|ar)[- ]?(?:me|meu|o meu)/,
        /descadastr\w{1,6}|exclu(?:a|am|ir) (?:o )?meu/,
        /cancel(?:e|ar) (?:a )?(?:minha )?(?:inscrição|subscrição)/,
      ],
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:me|nos) /,
      [/retirem?|remov(?:a|am)|excluam?|eliminem?|tir(?:e|em)|apaguem?/],
      /\b[^.!?]{0,30}(?:lista|base|cadastro|mailing|contactos|contatos)/,
    ],
    'i',
  ),
  sequence(
    [
      /\b/,
      [
        /não (?:quero|desejo|gostaria de) (?:mais )?(?:receber|ser contactad|ser contatad)/,
        /não (?:me )?(?:enviem?|mandem?|escrevam?|contactem?|contatem?)[^.!?]{0,15} mais/,
        /par(?:e|em) de (?:me )?(?:enviar|mandar|escrever|contactar)/,
      ],
    ],
    'i',
  ),
  sequence(
    [
      /(?<!\p{L})(?:favor|agradeço|peço|solicito)[^.!?]{0,15} /u,
      /(?:remover|retirar|excluir|descadastrar|eliminar|apagar)(?!\p{L})[^.!?]{0,40}/u,
      /(?:lista|e-?mail|base|cadastro|mailing|contato|contacto)/,
    ],
    'iu',
  ),
]

import { asksForRemoval, leaveAlone } from './opt-out-words.ts'

/** What puts a request off only. */
const notForGood = String.raw`(?! (?:until|before|till|next|this week|on|at|the|a|an|after|in (?:the|q|a)|unless|for (?:now|the|a))\b)`

/** Longer texts are letters about something: only their first sentences are looked at. */
const looked = 1_500

const polite =
  "(?:please|pls|plz|kindly|hi|hello|hey|dear|thanks|thank you|thx|sorry|all|team|sir|madam|just|now|immediately|asap|bitte|danke|sofort|vielen dank|hallo|merci|svp|s'il vous plaît|s il vous plait|bonjour|por favor|gracias|hola|grazie|per favore|ciao|buongiorno|obrigad[oa]|olá|graag|alstublieft|aub|bedankt|tack|vänligen|tak|venligst|takk|proszę|dziękuję|prosím|děkuji|пожалуйста|спасибо|no|nope|no thanks|not interested|no interest|kein interesse|pas intéressé|no me interesa|non interessat[oi]|geen interesse|お願いします|をお願いします|ください|请|謝謝|谢谢)"
const bare = new RegExp(
  `^(?:${polite} ){0,4}(?:unsubscribed?(?: me| us)?|stop(?: it| this| now)?|remove(?: me| us)?(?: please)?|(?:remove|delete|off)(?: me| us)? (?:from )?(?:the |your |this )?(?:mailing |e ?mail )?list|opt ?out|opt me out|take me off|cancel(?: my)? subscription|delete me|no more (?:e ?)?mails?|do not (?:contact|e ?mail)(?: me| us)?|leave me alone|no more|(?:meine )?(?:e ?mail ?)?(?:adresse|daten|kontaktdaten) (?:bitte )?(?:löschen|entfernen|austragen)|go away|plus (?:de|aucun) (?:e ?mails?|mails?|messages?|courriels?)|abmelden|abmeldung|(?:newsletter )?abbestellen|austragen|löschen|bitte abmelden|désabonner|désinscription|désinscrire|se désabonner|desabonnement|stop pub|darme de baja|denme de baja|baja|dar de baja|solicito (?:la )?baja|cancelar suscripción|basta (?:e ?)?mails?|cancella|cancellami|cancellatemi|cancellateci|cancellazione|disiscrizione|disiscrivimi|disiscrivetemi|disiscriversi|rimuovimi|rimuovetemi|eliminatemi|toglietemi|remover|descadastrar|cancelar inscrição|afmelden|uitschrijven|schrijf mij uit|meld mij af|stop mails|geen mails meer|avregistrera|avsluta|avprenumerera|afmeld|frameld|avmeld|meld meg av|peruuta|poista|wypisz|wypisać|rezygnuję|odhlásit|odhlásiť|отписаться|отпишите|отписка|відписатися|leiratkozás|leiratkozom|dezabonare|abonelikten çık|配信停止|配信停止希望|退订|退訂|取消订阅|取消訂閱|수신거부|구독취소|הסר|إلغاء الاشتراك)(?: ${polite}){0,4}$`,
  'iu',
)

/** Sentences that ask for it; each names the writer or the writing, so that talk about opt-outs is none. */
const asks: readonly RegExp[] = [
  /\bcease and desist\b|\b(?:kunt u|kan je|kun je|gelieve|graag|wil)[^.!?]{0,40}\b(?:uitschrijven|afmelden)\b|proszę (?:mnie )?(?:wypisać|usunąć)|proszę o wypisanie/iu,
  /\b(?:unsubscribe|remove|delete|erase|exclude|strike|drop|take|scrub|purge|opt) (?:(?:[\w.+-]{1,64}@[\w.-]{1,200}|me|us|my|our|this|the) ?(?:e-?mail|mail|address|name|contact|details|data|information|info|account|company|inbox|id)?(?: ?(?:e-?mail|address|details))?) ?(?:,? ?please)? ?(?:from|off|out of|out)\b (?!(?:the |this |your )?(?:hook|market|shelf|table|context|equation|picture|wait|guest|short|attendee|invit|booking|b?cc|thread|conversation|meeting|invite|copy|loop|discussion|call|project|chain))/i,
  /\b(?:please|kindly|must|want you to|need you to|ask you to|could you|can you|would you|request(?:ing)? (?:you )?to)\b[^.!?]{0,25}\b(?:unsubscribe|remove|delete|opt)[ -]?(?:out )?(?:me|us|my (?:e-?mail|address|details|data)|this (?:e-?mail )?address)\b(?! from (?:the |this )?(?:cc|thread|conversation|loop|call|invite|meeting|discussion))/i,
  /^(?:hi|hello|hey|please|and|so|but|just|,|\s)*(?:unsubscribe|remove|opt out) (?:me|us|my e-?mail|this (?:e-?mail )?address)\b(?! from (?:the |this )?(?:cc|thread|conversation|loop|call|invite|meeting))/i,
  /\b(?:i|we)(?:'d| would| want| wish| do| need|'m| am)?(?: like)?(?: not)? ?(?:want|wish|like|prefer|ask|asking|request|requesting|need)?(?:ed|ing)? ?(?:to )(?:be )?(?:unsubscribe[d]?|opt(?:ed)?[ -]?out|removed from (?:your|this|the|any) (?:\w+ ){0,3}(?:list|database|mailing|system|records|crm)|taken off)\b/i,
  /\bhow (?:do|can|to|could) (?:i|we)? ?(?:unsubscribe|opt out|get off (?:this|your) list|stop (?:these|receiving|getting))/i,
  /\b(?:stop|quit|cease|refrain from) (?:(?:with )?(?:e-?mailing|mailing|contacting|messaging|spamming|writing(?: to)?|bothering|harassing|soliciting|pestering)(?=(?: to)? (?:me|us|my|our|this|these|here|again|now|immediately|please|people)\b|\s*[,;.!]|\s*$)|sending(?: me| us)? ?(?:any|more|these|those|this|your|further|such|unsolicited|spam|e-?mails?|mails?|messages|newsletters?)\b|(?:with )?(?:these|those|this|your|all|the|any|further|more|such|unsolicited)(?: \w+){0,2} (?:e-?mails?|mails?|messages|spam|communications?|correspondence|solicitations?|newsletters?))\b(?! (?:by|at 1|at 2|over))/i,
  /\b(?:lose|forget|discard|destroy|bin) (?:my|this|our) (?:e-?mail|contact|mail|address|number|data|details)/i,
  /\b(?:do not|don't|dont|don’t|never|no longer) (?:ever )?(?:contact|e-?mail|mail|write(?: to)?|message|spam|bother|solicit|send (?:me|us)|reach out to|approach) ?(?:me|us|any|this|again|anymore|further)\b(?! (?:by|via|over|through|per) (?:the )?(?:tele|mobile )?(?:phone|post|text|sms|fax|whatsapp|linkedin|skype))(?! (?:until|before|till|next|this week|on|at|the|a|an|after|in (?:the|q))\b)/i,
  /\b(?:no (?:more|further) (?:e-?mails?|mails?|messages|contact|communications?|correspondence|spam|follow[- ]?ups?)(?: please)?)[\s.!]*$/i,
  /\b(?:i|we) (?:do not|don't|dont|don’t|no longer|never) (?:want|wish|care|need|agreed|consent)[^.!?]{0,20}(?:to )?(?:(?:receiv\w{1,3}|get|getting) (?:any |more |further |your |these |this |such |those |from you|unsolicited |marketing |commercial |sales |spam|e-?mails?\b|mails\b|messages|newsletters?|communications?|anything)|hear from you|be contacted|be e-?mailed|these e-?mails|your e-?mails|any (?:more )?(?:e-?mails|messages))/i,
  /\btake (?:me|us|my (?:name|e-?mail|address)) off(?: of)?(?:\s*[.!,]|\s*$| (?:your|this|these|any|all)\b(?! (?:cc|thread|conversation|call|meeting|invite))| the (?:e-?mail|mail|mailing|distribution|contact|marketing|newsletter|campaign|sales|list|database)\b)/i,
  /\b(?:nehmen|streichen|löschen|entfernen|tragen) sie (?:mich|uns|bitte|meine|unsere|diese)[^.!?]{0,60}(?:verteiler|liste|datenbank|adresse|daten|mailadresse|aus\b)/i,
  /\b(?:nimm|streich|lösch|entfern|trag)\w{0,2} (?:mich|uns|meine|bitte)[^.!?]{0,50}(?:verteiler|liste|aus\b|adresse)/i,
  /\b(?:keine|keinerlei) (?:(?:weiteren?|solchen?|mehr) (?:e-?mails?|mails?|nachrichten?|werbung|zusendungen?)|e-?mails|mails|nachrichten|werbung|kontaktaufnahme|zusendungen|werbemails?|newsletter)\b(?![^.!?]{0,40}(?:nochmal|noch einmal|erneut|angekommen|gefunden))[^.!?]{0,30}(?:mehr|senden|schicken|schreiben|erhalten|zusenden|wünsche|bekommen|bitte|[.!]*$)/i,
  /\b(?:bitte|fordere|verlange|beantrage)\b[^.!?]{0,25}\b(?:löschung|entfernung|abmeldung|austragung)\b[^.!?]{0,30}(?:daten|adresse|mail|verteiler|liste|$)|^\s*stoppen sie (?:das|diese|die (?:e-?mails|mails|werbung|nachrichten))/i,
  /\b(?:schreiben|kontaktieren|mailen|belästigen) sie (?:mich|uns|mir)[^.!?]{0,20}(?:nicht|bitte nicht|nie)(?: ?(?:mehr|wieder|weiter))?(?! (?:vor|bis|im|am|ab|während|an|über|telefonisch|per telefon)\b)/i,
  /\bmelden sie (?:mich|uns)[^.!?]{0,30}\bab\b(?=\s*(?:bitte\s*)?(?:[.!,]|$))|\bmich (?:bitte )?[^.!?]{0,30}\b(?:abmelden|austragen|abbestellen)\b/i,
  /\bwiderspreche[^.!?]{0,60}(?:nutzung|verarbeitung|werb|daten|kontakt)/i,
  /\bunterlassen sie[^.!?]{0,40}(?:mails?|nachrichten|werbung|kontakt|zusendung|zuschriften|anfragen)|\b(?:von|auf) (?:weiteren|zukünftigen|künftigen) (?:e-?mails?|mails|nachrichten|anfragen|kontaktaufnahmen|zusendungen)[^.!?]{0,20}(?:abzusehen|absehen|verzichten|abstand)/i,
  /\b(?:désabonnez|désinscrivez|désinscrire|désabonner|retirez|supprimez|enlevez|rayez|effacez)[- ]?(?:moi|nous|mon|mes|notre|me)?[^.!?]{0,40}(?:de (?:votre|vos|la|cette|ces)|liste|adresse|base|mail|moi|données|$)/i,
  /\b(?:ne (?:plus|pas) (?:me|nous|m'|recevoir)|ne (?:me|m'|nous) [^.!?]{0,30}plus)[^.!?]{0,40}(?:contact|écri|envoy|mail|message|sollicit|recevoir|adress)/i,
  /\b(?:ne (?:souhaite|veux|désire)[^.!?]{0,10} (?:plus|pas) (?:recevoir|être (?:contact|sollicit|démarch)))/i,
  /(?<!\p{L})(?:me|nous|m['’]|mon (?:adresse|e-?mail|mail|nom)|mes (?:données|coordonnées)) ?(?:retirer|supprimer|désinscrire|désabonner|enlever|rayer|effacer|radier|ôter)[^.!?]{0,40}(?:de (?:votre|vos|la|cette|ces)|liste|base|fichier|$)|(?<!\p{L})(?:retirer|supprimer|enlever|effacer|rayer) (?:mon|mes|notre|nos) [^.!?]{0,30}(?:liste|base|fichier|adresse|données|coordonnées)/iu,
  /\b(?:arrêtez|cessez) de (?:m'|me |nous |m’)?(?:écrire|contacter|envoyer|spammer|harceler|solliciter)/i,
  /\b(?:d(?:ar|en|ame|arme|enme|ad)?me de baja|d[ée]nme de baja|dar(?:me|nos) de baja|quiero (?:darme de baja|cancelar)|b[oó]rr(?:en|a|e)me|elim[ií]n(?:en|a|e)(?:me|nme)?[^.!?]{0,20}(?:de (?:su|la|tu)|lista|base)|qu[ií]t(?:en|a|e)(?:me|nme)[^.!?]{0,20}lista)/i,
  /\b(?:solicit\p{L}{1,5}|pid\p{L}{1,3}|rueg\p{L}{1,3}|quier\p{L}{1,4}|dese\p{L}{1,3}|tramit\p{L}{1,4}|proced\p{L}{1,4})[^.!?]{0,25}\b(?:la |mi )?baja (?:de|en|inmediata|del)|(?:me|nos) (?:elimin|borr|quit|saqu|retir)(?:en|e|an|a)\b[^.!?]{0,30}(?:lista|base|correo)/iu,
  /\b(?:no (?:me|nos) (?:escrib|contact|env[ií]|mand|molest)[^.!?]{0,30}(?:más|mas|nunca|nuevamente)|no (?:deseo|quiero|deseamos) (?:recibir|seguir recibiendo)|dej(?:e|en|a) de (?:escribir|contactar|enviar|mandar|molestar)(?:me|nos)?)/i,
  /\b(?:cancell(?:a|ate|i|are)(?:mi|temi|telo)?|rimuov(?:i|ete|a|ere)(?:mi|temi)?|elimin(?:a|ate|i)(?:mi|temi)|toglie?te?(?:mi|temi)|disiscriv\w{1,8})[^.!?]{0,30}(?:dalla|da (?:questa|vostra)|lista|mailing|il mio|indirizzo|dal vostro|newsletter)/i,
  /\b(?:non (?:scrivete|contattate|inviate|mandate|scriver|contattar|inviar)(?:mi|temi|eci|ci)?[^.!?]{0,20}(?:più|mail|messaggi)|non (?:desidero|voglio|vogliamo) (?:più )?(?:ricevere|essere contattat)|smett(?:ete|i|etela) di (?:scriver|inviar|mandar|contattar))/i,
  /\b(?:remov(?:a|am|er)[- ]?(?:me|nos|o meu|meu)|retir(?:e|em|ar)[- ]?(?:me|meu|o meu)|descadastr\w{1,6}|exclu(?:a|am|ir) (?:o )?meu|cancel(?:e|ar) (?:a )?(?:minha )?(?:inscrição|subscrição))/i,
  /\b(?:me|nos) (?:retirem?|remov(?:a|am)|excluam?|eliminem?|tir(?:e|em)|apaguem?)\b[^.!?]{0,30}(?:lista|base|cadastro|mailing|contactos|contatos)/i,
  /\b(?:não (?:quero|desejo|gostaria de) (?:mais )?(?:receber|ser contactad|ser contatad)|não (?:me )?(?:enviem?|mandem?|escrevam?|contactem?|contatem?)[^.!?]{0,15} mais|par(?:e|em) de (?:me )?(?:enviar|mandar|escrever|contactar))/i,
  /\b(?:mij|me|ons|mijn (?:e-?mail\p{L}*|adres|gegevens|naam)|dit (?:e-?mail)?adres)\b[^.!?]{0,50}\b(?:te )?(?:verwijderen|schrappen|uitschrijven|afmelden|uit te schrijven|af te melden)\b(?! voor (?:het|de|dit|deze) (?:event|evenement|webinar|cursus|training|sessie|bijeenkomst|demo|lunch|afspraak|call|meeting))|\bstop(?:pen)? met (?:(?:mij|me|ons|het) )?(?:te )?(?:e-?mailen|mailen|sturen|spammen|contacteren|benaderen|schrijven|e-?mails|mails)/iu,
  /\b(?:(?:schrijf|meld|haal|verwijder|schrap) (?:mij|me|ons|mijn)[^.!?]{0,40}(?:uit|af|van (?:de|uw|jullie)|lijst|adres|bestand)|(?:geen|stop met)[^.!?]{0,12}(?:e-?mails?|mails?|berichten)[^.!?]{0,20}(?:meer|sturen|ontvangen)|(?:mij|me|ons) niet meer (?:te )?(?:mailen|benaderen|contacteren|schrijven)|(?:wil|wens) (?:ik )?(?:graag )?(?:worden )?(?:uitgeschreven|me (?:uitschrijven|afmelden)))/i,
  /(?<!\p{L})(?:ta bort (?:mig|oss|min|mitt)|avregistrera (?:mig|oss)|sluta (?:skicka|mejla|maila|kontakta)|(?:inga|inte) (?:fler|skicka|få|ha) (?:mer |fler )?(?:mejl|mail|e-?post|utskick)|vill inte (?:ha|få) (?:fler|mer|era|dessa)|(?:fjern|slet|afmeld|meld) (?:mig|meg|mit|min|oss|os)\b|(?:ikke|ikkje) (?:send|kontakt|skriv)[^.!?]{0,20}(?:mere|mer|flere)|stop med at (?:sende|skrive|kontakte)|slutt å (?:sende|kontakte)|ønsker ikke (?:flere|å (?:motta|få)|at (?:modtage|få))|vill inte (?:längre )?(?:ha|få|bli)[^.!?]{0,15} (?:mejl|mail|utskick|kontaktad))/iu,
  /\b(?:proszę (?:o )?(?:usun|wypis|nie (?:pisać|wysyłać|kontaktować)|usunięcie|wypisanie|zaprzesta)|wypisz(?:cie)? mnie|usuńcie|nie (?:życzę|chcę|życzymy)[^.!?]{0,30}(?:otrzymywa|dostawa|korespondencji|wiadomości|mail)|odhlas(?:te|it) m[ěn]|nepište mi|nezasílejte|nechci (?:dostávat|dále)|vyřaďte)/iu,
  /(?:отпишите|удалите (?:меня|мой|нас)|исключите (?:меня|нас|мой)|не (?:пишите|присылайте|беспокойте|отправляйте|звоните)[^.!?]{0,25}(?:больше|мне|нам|писем)|больше не (?:пишите|присылайте|отправляйте)|прекратите (?:рассылку|писать|присылать|спам)|не хочу (?:больше )?получать|уберите (?:меня|мой)|видаліть (?:мене|мою)|не надсилайте|відпишіть)/iu,
  /(?:配信(?:を)?(?:停止|中止|解除)|メール(?:の)?(?:配信|送信)?(?:を)?(?:停止|止めて|やめて|不要)|今後(?:の|は|一切)?[^。]{0,15}(?:不要|送らない|控えて|連絡しない)|登録(?:を)?(?:解除|削除)|リストから(?:削除|外)|请?(?:不要|别)再[^。]{0,6}(?:发|联系|寄)|(?:取消|停止)(?:订阅|訂閱|發送|发送)|(?:將|把|将)我[^。]{0,8}(?:移除|删除|刪除)|수신 ?거부|메일[^.]{0,8}(?:보내지|그만)|구독[^.]{0,4}(?:취소|해지))/u,
  /(?:beni (?:listeden|listenizden) (?:çıkar|sil)|(?:e-?posta|mail) (?:göndermeyin|almak istemiyorum)|abonelikten (?:çık|ayrıl)|töröljenek|iratkozz?on le|ne (?:írjanak|küldjenek) többet|dezabona[țt]i|(?:nu|nu mai) (?:doresc|vreau)[^.!?]{0,15} (?:primesc|mesaje)|διαγράψτε|μην (?:μου )?(?:στέλνετε|ξαναστείλετε)|poistakaa|älkää (?:lähettäkö|ottako)|en halua (?:enää )?(?:vastaanottaa|saada))/iu,
  // The same requests by nouns, infinitives and in the passive.
  /\b(?:discontinue|cease|end|halt) (?:all |any |further |the )*(?:sending|contact|communications?|e-?mails?|e-?mailing|correspondence|mailings?)\b|\b(?:delete|erase|destroy) (?:all )?(?:of )?my (?:personal )?(?:data|details|information|records?)\b|\b(?:do[- ]not[- ](?:contact|e-?mail|call)|suppression|opt-?out|block) ?list\b/i,
  /(?<!\p{L})(?:veuillez|merci de|prière de|svp,?) cesser|(?<!\p{L})cess(?:ez|er) (?:tout|toute|vos|ces|cet|immédiatement)|(?<!\p{L})ne (?:me|nous|m['’]) ?(?:contact|écri|envoy|sollicit|relanc|démarch|mail|dérang)\p{L}{0,6} plus(?!\p{L})/iu,
  /(?<!\p{L})(?:(?:borr|elimin|suprim)(?:en|a|e|ar) (?:mis datos|mi (?:correo|e-?mail|dirección|nombre|información))|cancel(?:ar|en|e) (?:mi |la )?(?:suscripci[oó]n|inscripci[oó]n)|no (?:vuelva|vuelvan|vuelvas) a (?:escrib|contact|env|mand|molest)\p{L}{0,8})/iu,
  /(?<!\p{L})(?:(?:essere|venire) (?:rimoss|cancellat|eliminat|esclus|tolt)[oaie]|(?:chied|richied|esig|desider|vogli)\p{L}{1,4}[^.!?]{0,20}(?:cancellazione|rimozione|eliminazione|disiscrizione))/iu,
  /(?<!\p{L})(?:wil|wens|willen|wensen|graag)[^.!?]{0,15} geen (?:verder |enkel |meer )?(?:contact|mails?|e-?mails?|berichten|reclame)(?!\p{L})/iu,
  /(?<!\p{L})(?:favor|agradeço|peço|solicito)[^.!?]{0,15} (?:remover|retirar|excluir|descadastrar|eliminar|apagar)(?!\p{L})[^.!?]{0,40}(?:lista|e-?mail|base|cadastro|mailing|contato|contacto)/iu,
  /(?<!\p{L})(?:(?:slet|slett|radera|ta bort|fjern|poista|usuńcie|smažte) (?:mine|mina|min|mitt|moje) (?:data|uppgifter|opplysninger|oplysninger|adress|e-?post|mail|mejl|dane)|send (?:mig |meg |oss |os )?ikke (?:flere|mere|mer)|ikke (?:kontakt|skriv|send|mail|maile|kontakte) (?:til )?(?:meg|mig|oss|os)(?!\p{L})(?! før| inden)|(?:skicka|kontakta|mejla|maila|skriv) (?:mig |oss )?inte (?:mig |oss )?(?:fler|mer|igen|längre))/iu,
  /(?:今後|配信|メール|営業)[^。]{0,14}(?:不要|いりません|要りません)|(?:ご連絡|配信|メール|営業|ご案内)[^。]{0,10}(?:遠慮|お断り|辞退)|прошу (?:\p{L}{1,12} ){0,2}(?:исключить|удалить|убрать|отписать)/iu,
]

// Requests by families of languages that the ones above leave out, and by gerunds and indirect questions.
const asksMore: readonly RegExp[] = [
  /\b(?:do not|don't|dont|don’t|never) (?:ever )?send (?:me|us) (?:any |these |your |such |unsolicited |marketing |sales )*(?:e-?mails?|mails|messages|newsletters?|spam|advertis\w+)\s*(?:[.!,;]|$|please|thanks|again|any ?more)/i,
  /\b(?:like|want|wish|prefer|need|ask(?:ed)?) (?:you )?to stop (?:receiving|getting|being sent) (?:these|this|those|your|any|all|e-?mails?|mails?|messages|newsletters?)\b|(?:^|[,.;:] ?)i (?:just )?want out[.! ]*$/i,
  /\b(?:ask|asking|request|requesting|urge|beg)(?: that)?(?: you)?(?: kindly| please)? (?:not to|do not|don't|to not|to stop|to refrain from) (?:e-?mail|contact|writ|send|mail|messag|spam)\p{L}{0,4} (?:me|us|to me|to us)(?!\p{L})(?! (?:before|until|till|on|at|about|during|this|today|in the)(?!\p{L}))/iu,
  /\bmark (?:me|us|my \w+) (?:down )?as (?:a )?["']?(?:do[- ]not[- ](?:contact|e-?mail|mail)|unsubscribed|opted[- ]out)|\b(?:please|kindly|and|to) (?:blacklist|suppress) (?:me|us|my (?:e-?mail|address|domain)|our (?:e-?mail|address|domain))\b|^\W*(?:please |kindly )?remove (?:all )?(?:of )?(?:my|our) (?:personal )?(?:data|details|information|records?)(?=\s*(?:[.!,;]|$|please|now|immediately|at once|from your))/i,
  /(?<!\p{L})(?:quier[oe]|queremos|dese[oa]|deseamos|quisiera|gustaría) (?:dejar de recibir|ser (?:eliminad|borrad|removid|retirad|dad[oa] de baja))|(?<!\p{L})(?:quero|queremos|gostaria de|desejo) (?:(?:parar|deixar) de receber|ser (?:removid|retirad|excluíd|eliminad|descadastrad))|(?:vorrei|voglio|vorremmo|desidero) smettere di ricevere|(?:souhaite|veux|voudrais|aimerais) (?:arrêter|cesser) de recevoir/iu,
  new RegExp(
    String.raw`\b(?:do not|don't|dont|don’t|never|stop|quit) (?:ever )?(?:follow(?:ing)?[- ]?up|reach(?:ing)? out|get(?:ting)? in touch|ping(?:ing)?|chas(?:e|ing)|pester(?:ing)?)(?: with| to)?(?: me| us)? ?(?:again|any ?more|further|ever|$)${notForGood}`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:don't|do not|dont|don’t|never|no longer|stop) (?:ever |you |please |dare )?(?:send|contact|e-?mail|mail|write|message|spam)(?:ing)? (?:to )?(?:me |us |this |here )?(?:address |anything |any |more |another |these |your |e-?mails? |mails? |messages? ){0,3}(?:any ?more|again|ever|any further)\b${notForGood}`,
    'i',
  ),
  /\bwant (?:to get |to be |to come |out |me )?(?:off|out of)(?: of)? (?:this|your|these|all|any)\b[^.!?]{0,20}(?:list|mail|database|system)|\b(?:ask(?:ed|ing)?|told|tell(?:ing)?) you[^.!?]{0,20} to (?:stop|unsubscribe|remove|take me off)\s*(?:[.!,]|$|(?:me|us|my|e-?mailing|contacting|sending|writing)\b)/i,
  /(?<!\p{L})(?:nehmt|streicht|löscht|entfernt|tragt) (?:mich|uns|bitte|meine|unsere)(?!\p{L})[^.!?]{0,50}(?:verteiler|liste|datenbank|adresse|daten|aus(?!\p{L}))|nicht (?:mehr|weiter)[^.!?]{0,25} (?:kontaktiert|angeschrieben|angemailt|belästigt|beworben) (?:werden|zu werden)|(?:löschen|entfernen) sie[^.!?]{0,25} (?:meine|unsere) (?:personenbezogenen )?(?:daten|(?:e-?mail-?)?adresse|kontakt\p{L}{0,8})/iu,
  /(?<!\p{L})niet (?:meer|langer) (?:te )?(?:mailen|contacteren|benaderen|schrijven|lastig|sturen|e-?mailen|toesturen)|(?<!\p{L})no (?:más|mas) (?:correos?|e-?mails?|mails?|mensajes)(?!\p{L})|(?<!\p{L})(?:chega|sem mais|não mais) (?:de )?(?:e-?mails?|mensagens)|żadnych (?:więcej )?(?:maili|wiadomości|e-maili)|(?<!\p{L})(?:inga|ikke) (?:fler|flere|mer|mere) (?:mails?|mejl|e-?post\p{L}{0,2}|beskeder|meddelanden|henvendelser)/iu,
  /(?<!\p{L})(?:не надо (?:мне |нам )?(?:больше )?(?:писать|слать|присылать)|хватит (?:мне )?(?:слать|писать|спамить|присылать)|прекратите (?:рассыл|слать|писать|присылать|спам)|припиніть (?:надсил|писати|розсил|спам)|přestaňte (?:mi |nám )?(?:psát|posílat)|(?:artık|daha)? ?(?:mail|mesaj|e-?posta) (?:istemiyorum|atmayın|göndermeyin|yollamayın)|hagyják abba|ne írjon(?:ak)? (?:többet|nekem))\p{L}*|(?:停止|不要)(?:再)?(?:给我|給我)?(?:发|發|寄)(?:送|信|邮件|郵件|广告|廣告|来|來)|보내지 ?(?:마|말)|(?:그만|더 ?이상)[^.]{0,12}(?:보내|연락)/iu,
  /\b(?:delete|erase|remove) (?:my|our) (?:contacts?(?: details| information| info| data)?|e-?mail(?: address)?|address|name|number|info(?:rmation)?)(?=\s*(?:[.!,;]|$|please|thanks|from (?:your|the) (?!cc|thread)))|\bcancel (?:my |our |this )?subscription (?:to|from|for) (?:these|your|this|all)[^.!?]{0,15}(?:e-?mails?|mails?|messages?|lists?|newsletters?)|\b(?:you are|you're|stop) spamming\b|^this is (?:just |pure )?spam[.!]*$|^(?:no|thanks|please|sorry|we|i|,|\s)*(?:don't|do not|dont|don’t) want (?:to (?:receive|get) )?(?:any |your |these |more |further |other |additional |such ){1,3}(?:e-?mails?|mails|messages|spam|newsletters?)\b/i,
  /(?<!\p{L})verwijder (?:mijn|onze) (?:gegevens|adres|e-?mail\p{L}*|contact)|(?<!\p{L})(?:não|nao) (?:me |nos )?(?:envi|mand|escrev|contat|contact)\p{L}{1,4}[^.!?]{0,12} mais(?!\p{L})|(?<!\p{L})nie (?:przysyła|wysyła|pisz|kontaktuj|przesyła)\p{L}{0,6}[^.!?]{0,15} (?:więcej|już)(?!\p{L})|配信(?:の|を)?(?:停止|中止|解除)/iu,
  /(?<!\p{L})(?:bitte|wunsch)[^.!?]{0,25} (?:aus|von) (?:dem|ihrem|eurem|der|ihrer|eurer) (?:e-?mail-?|mail-?|newsletter-?)?(?:verteiler|liste|datenbank|mailingliste|newsletter)[^.!?]{0,12} (?:nehmen|entfernen|streichen|löschen|austragen|raus)/iu,
  /(?<!\p{L})(?:inutile|pas la peine) de (?:me|nous) (?:re)?(?:contact|écri|relanc|solicit)\p{L}*|(?<!\p{L})(?:quero|queremos|gostaria de|desejo) sair d|(?<!\p{L})(?:vil|ønsker|vill|önskar) (?:ikke|inte|ej) (?:længere |lenger |längre )?(?:at |å |att )?(?:ha|have|modtage|motta|få|ta emot)[^.!?]{0,12}(?:fler|flere|mer|mere|mails?|e-?post|mejl|beskeder|meddelanden)|(?<!\p{L})en (?:halua|tarvitse) (?:enää|enempää|lisää|näitä|teidän|mitään)|勿再?[给給]?我?(?:发|發|寄)(?:送|邮|郵|信|来|此|给|給)|我(?:们|們|的\S{0,6})?[^。]{0,4}(?:从|從)[^。]{0,12}(?:名单|名單|列表|邮件列表)[^。]{0,6}(?:删除|刪除|移除)/iu,
  /\b(?:appreciate|like|want|prefer|request|ask|wish)[^.!?]{0,15} (?:being|to be) (?:removed|taken off|unsubscribed|deleted|excluded|dropped)\b(?! (?:from )?(?:the |this )?(?:cc|thread|conversation|loop|call|invite|meeting|discussion|waiting))/i,
  /\b(?:make sure|ensure|see to it)[^.!?]{0,15} (?:i|we) (?:do not|don't|don’t|never|no longer) (?:receive|get|hear)|\b(?:pls|plz|please|kindly) (?:remove|delete|erase) from (?:your|the|this|any)[^.!?]{0,25}(?:list|database|records|systems?|crm|mailing)/i,
  /(?<!\p{L})nicht (?:mehr|weiter|wieder|nochmals?) (?:an)?(?:schreiben|kontaktieren|mailen|belästigen|anschreiben|zusenden|zuschicken)(?!\p{L})|수신(?:을|를)? ?거부/iu,
  /\b(?:removing|deleting|taking|unsubscribing|dropping|erasing) (?:me|us|my (?:e-?mail|address|name|details|data|contact)[\w ]{0,20})(?: ?,? ?please)? (?:from|off)\b(?! (?:the |this )?(?:cc|thread|conversation|loop|call|invite|meeting|discussion|waiting))/i,
  /\bhören sie (?:bitte |endlich |sofort |doch )*auf,? (?:mir|uns|mich)|\bsehen sie[^.!?]{0,20}von (?:weiteren|künftigen|zukünftigen)[^.!?]{0,40}\bab\b|\b(?:e-?mails?|werbung|nachrichten) (?:sind |ist )?(?:un|nicht )(?:erwünscht|gewünscht)/i,
  /(?<!\p{L})stop (?:aux |les |à |avec les |avec vos )?(?:mails?|e-?mails?|messages|pubs?|relances)(?!\p{L})/iu,
  /(?<!\p{L})s[aá](?:quen|que|ca|car)(?:me|nos)[^.!?]{0,30}(?:lista|base|correo)|(?<!\p{L})smett(?:a|ete|i|etela|ila)[^.!?]{0,10} di (?:scriver|contattar|mandar|inviar|spammar)|(?<!\p{L})par(?:em|e|a) de (?:me |nos )?(?:enviar|mandar|escrever|contactar|contatar|spammar)/iu,
  /(?<!\p{L})(?:verwijder|schrap|haal|uitschrijv|schrijf|haalt)\p{L}{0,2}(?!\p{L})[^.!?]{0,40} (?:uit|van|in) (?:uw|jullie|je|jouw) [^.!?]{0,25}(?:bestand|lijst|database|systeem|adressen)/iu,
  /(?<!\p{L})(?:stopp|stop|sluta|slutt|hold op|lad være)(?: med)?(?: å| at)? (?:sende?|skicka|skrive?|skriva|kontakte|kontakta|maile|maila|mejla|spamm[ea])(?!\p{L})/iu,
  /(?<!\p{L})(?:odstra[nň](?:te|it)?|vyma[zž](?:te|at)?|smaž(?:te)?|vyřaď(?:te)?|vyškrtn[eě]te|odhlas(?:te)?|odstráňte) (?:prosím |si )?(?:mě|mne|ma|nás|můj|moj|moji|môj|moju)(?!\p{L})|(?<!\p{L})(?:nepišt?e?|nepíšte|neposílejte|nezasílejte|neposielajte|nekontaktujte) (?:mi|mě|ma|nám|nás)|nechci (?:už |dále |dostávat)[^.!?]{0,20}(?:mail|zpráv|dostáv|e-mail)|nepřeji si/iu,
  /(?<!\p{L})(?:больше (?:мне |нам )?не (?:пиш|писать|присыл|беспоко|отправ|шл)|не (?:пишите|присылайте|беспокойте|шлите|отправляйте)[^.!?]{0,25} больше|уберите (?:меня|нас|мой)|більше (?:мені |нам )?не (?:пиш|надсил|турбу)|не (?:пишіть|надсилайте)[^.!?]{0,20} більше|видаліть (?:мене|нас|мою)|відпишіть|премахнете ме|отпишете ме|не ми пишете|не желая да получавам)\p{L}*/iu,
  /(?:お送り|送って|送付|送信|配信|メール|連絡)[^。]{0,14}(?:いただかない|くださらない|送らない|しないで|やめ|止め|ご遠慮)|別再[發发寄]|别再[发寄给打]|不要再[给給发發寄联聯]|(?:删除|刪除|移除)我的?(?:邮箱|郵箱|地址|信息|联系)/u,
  /(?:להסיר|הס(?:י)?ר(?:ה|י|ו)?|תסיר(?:ו|י)?|תורידו?|להוריד|למחוק|מחקו?) (?:אותי|אותנו|את (?:הכתובת|המייל|כתובת|השם))|(?:הפסיקו?|תפסיקו?|להפסיק) (?:לשלוח|לפנות|לכתוב)|אל תשלח(?:ו|י)? (?:לי|לנו|יותר)|לא מעוניי(?:ן|נת) לקבל/u,
  /(?:إزالتي|حذفي|شطبي|احذفوني|احذفني|أزيلوني|إلغاء (?:اشتراكي|الاشتراك))|(?:إزالة|حذف) (?:بريدي|عنواني|اسمي|بياناتي)|(?:توقفوا?|التوقف) عن (?:إرسال|مراسلت)|لا ترسلوا? (?:لي|إلي|المزيد)|عدم (?:إرسال|مراسلتي)|لا أرغب في (?:تلقي|استلام)/u,
  /(?:hủy đăng ký|ngừng gửi|đừng gửi|xin đừng (?:gửi|liên hệ)|xóa (?:tôi|email của tôi|địa chỉ)|berhenti (?:mengirim|kirim|berlangganan)|hapus (?:saya|e-?mail saya|alamat saya)|jangan (?:kirim|hubungi|mengirim)[^.!?]{0,20}(?:lagi|saya)|ยกเลิกการ(?:สมัคร|รับ)|หยุดส่ง|อย่าส่ง|กรุณาลบ|ลบ(?:ฉัน|ผม|ชื่อ|อีเมล))/iu,
  /(?<!\p{L})(?:uklonite|obrišite|izbrišite|maknite|odjavite|skinite) (?:me|nas|moj|moju)(?!\p{L})|nemojte (?:mi |nam )?(?:više )?(?:slati|pisati|kontaktirati)|ne želim (?:više )?(?:primati|dobivati|prejemati)|ne pišite mi|(?:nu|nu-mi) (?:îmi )?mai (?:trimite|scrie|contacta)\p{L}{0,4}|ștergeți-mă|scoateți-mă|vegyenek? (?:ki|le)|töröljék|ne küldjön|nem kérek több|(?:beni|adresimi|mailimi) (?:listeden|listenizden|veritabanınızdan)[^.!?]{0,10}(?:çıkar|sil)|bir daha (?:yazmayın|mail atmayın|göndermeyin|rahatsız)|(?:eemaldage|kustutage) (?:mind|minu)|(?:lūdzu )?(?:izdzēsiet|noņemiet) mani|(?:pašalinkite|išbraukite|ištrinkite) mane|nebesiųskite|älkää (?:enää )?(?:lähettä|otta|kirjoitta)\p{L}{0,4}|(?:poistakaa|poista) (?:minut|meidät|osoitteeni)|μη (?:μου )?(?:στέλνετε|ξαναστ)|αφαιρέστε/iu,
]

const negated =
  /\b(?:do(?:n't|n’t| not)|never|no need to|without|not going to|didn't|won't) (?:\w+ ){0,2}(?:unsubscribe|remove me|opt (?:me )?out|take me off)/i

// Over the end of a sentence: "Where did you get my address? Delete it."
const refersBack =
  /\b(?:my|this|our) (?:e-?mail(?: address)?|address|contact|data|details|number|info(?:rmation)?)\b[^.!?]{0,60}[.!?,;] ?(?:and |please |kindly |now )*(?:delete|remove|erase) (?:it|that|them)\b|\b(?:meine|unsere) (?:e-?mail-?)?(?:mail-?)?(?:adresse|daten|kontaktdaten)\b[^.!?]{0,60}[.!?,;] ?(?:und |bitte )*(?:löschen|entfernen|streichen) sie (?:sie|diese|die)(?!\p{L})|\bmon (?:adresse|e-?mail|mail)\b[^.!?]{0,60}[.!?,;] ?(?:et |merci de |veuillez )*(?:supprimez|effacez|retirez)-l[ae](?!\p{L})|\bmi (?:correo|dirección|e-?mail)\b[^.!?]{0,60}[.!?,;¿¡] ?(?:y |por favor )*(?:bórr|elimín|quít)en?l[oa](?!\p{L})/iu

// To be put on a list, or not to stop.
const invites =
  /(?:nehmen|nimm|tragen) (?:sie )?(?:mich|uns)[^.!?]{0,60}(?:verteiler|liste) (?:auf|ein)(?!\p{L})|(?<!\p{L})no (?:dejen|deje|dejes|pares|paren) de|(?:do not|don't|don’t|never) stop|n'arrêtez pas|hören sie (?:bitte )?nicht auf|не переставайте/iu

// The word that people mistype most, two letters away at the furthest; what somebody did is no request.
function corrected(text: string): string {
  return text
    .replace(/\bun[ -]?sub\b|\bun[ -]subscribe\b/gi, 'unsubscribe')
    .replace(/\bun[a-z]{5,11}\b/gi, (word) =>
      /(?:ed|ing|er|ers|tion)$/i.test(word) || lettersBetween(word.toLowerCase(), 'unsubscribe') > 2
        ? word
        : 'unsubscribe',
    )
}

// How many letters must be changed, put in or taken out.
function lettersBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(row[j]! + (a[i] === b[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    row = next
  }
  return row[b.length]!
}

// "I have told you twice, stop it": the words alone behind a comma, where the sentence says nothing else after them.
function lastClauseAsks(line: string): boolean {
  const clause = line
    .split(/[,;:–—]| - /)
    .at(-1)!
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
    .trim()
  return (
    clause.length <= 40 &&
    bare.test(clause) &&
    !/^(?:please |bitte )?(?:stop|cancel|baja|delete|remove|go away|no more)$/.test(clause)
  )
}

export interface OptOut {
  rule: string
}

/** Whether the writer asks, in words of their own, not to be written to again. `own` has no quoted lines. */
export function readOptOut(own: string): OptOut | null {
  const start = corrected(own.slice(0, looked))
  const flat = start
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
    .trim()
  if (flat.length <= 90 && bare.test(flat.replace(/(?<!\p{L})(\p{L}{1,20})(?: \1(?!\p{L})){1,9}/gu, '$1')))
    return { rule: 'opt_out_word' }
  if (refersBack.test(start.replace(/\s+/g, ' '))) return { rule: 'opt_out_sentence' }
  // The word alone on the first line, with a greeting or a name around it.
  const first = start
    .split('\n')
    .map((line) =>
      line
        .toLowerCase()
        .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
        .trim(),
    )
    .filter((line) => line !== '')
  if (first.length <= 5 && first.slice(0, 2).some((line) => line.length <= 60 && bare.test(line)) && flat.length <= 200)
    return { rule: 'opt_out_word' }
  for (const sentence of start.split(/(?<=[.!?。！？])\s+|\n{2,}|\n(?=[A-ZÄÖÜ•-])/u).slice(0, 40)) {
    const line = sentence.replace(/\s+/g, ' ').trim()
    if (
      line.length > 400 ||
      negated.test(line) ||
      (line.endsWith('?') && /\b(?:your|our|their) (?:customers?|users?|clients?|subscribers?)\b/i.test(line))
    )
      continue
    const words = line
      .toLowerCase()
      .replace(/[^\p{L}\p{N}'’]+/gu, ' ')
      .trim()
    // "Stop!" and the like alone say too little among other sentences.
    if (
      flat.length <= 200 &&
      words.length <= 60 &&
      bare.test(words) &&
      !/^(?:stop|cancel|baja|delete|go away)/.test(words)
    )
      return { rule: 'opt_out_word' }
    if (invites.test(line)) continue
    if (flat.length <= 200 && lastClauseAsks(line)) return { rule: 'opt_out_word' }
    if (
      asksForRemoval(line) &&
      (!line.endsWith('?') ||
        /\b(?:can|could|would|will|können|könnten|pouvez|pourriez|puede|podría|può|potrebbe|kunt|kun|poderia)\b/i.test(
          line,
        ))
    )
      return { rule: 'opt_out_sentence' }
    if (leaveAlone.test(line)) return { rule: 'opt_out_sentence' }
    if (asks.some((pattern) => pattern.test(line)) || asksMore.some((pattern) => pattern.test(line)))
      return { rule: 'opt_out_sentence' }
  }
  return null
}

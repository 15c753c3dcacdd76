import { anyOf, notBefore, sequence } from '@overture/ground/text/patterns.ts'

/** Words that programs put in front of the subject. "Re: Automatic reply" is a person's reply to one. */
export const subjectStart = sequence(
  [
    /^\s*(?:\[[^\]]{0,40}\]\s*)?/,
    [
      sequence([
        /automatic(?:ally)? (?:generated )?(?:reply|response|answer)/,
        notBefore([/ (?:feature|function|system|tool|setting|software|template|message texts)/]),
      ]),
      sequence([
        /auto[- ]?(?:matic)?[- ]?(?:reply|response|responder|answer)\b/,
        notBefore([/ (?:feature|function|system|tool|setting|software|template|message texts)/]),
      ]),
      /auto:|out of (?:the )?office|ooo\b|out of office:|away from (?:the |my )?(?:office|mail|desk)/,
      /i(?:'m| am) (?:currently )?(?:away|out)|on (?:vacation|holiday|leave)/,
      /vacation (?:reply|message|response)|away until|away:|not in the office/,
      /automatische (?:antwort|e-?mail|nachricht|rückmeldung)/,
      /automatisch(?:e)? (?:antwoord|beantwoording|bericht)|abwesen/,
      /ich bin (?:nicht )?(?:im|bis|außer|abwesend)|außer haus|autoantwort|abwezig|afwezig|niet aanwezig/,
      /buiten kantoor|réponse automatique|absence (?:du|de|au) bureau|absent(?:e)? du bureau|absence/,
      /message d'absence|en congé|respuesta autom[aá]tica|fuera de (?:la )?oficina|ausencia|autorespuesta/,
      /respuesta de ausencia|risposta automatica|fuori (?:sede|ufficio)|assenza|resposta autom[aá]tica/,
      /aus[eê]ncia|fora do escrit[oó]rio|ausente|autosvar|automatiskt svar|automatisk svar|frånvaro|fravær/,
      /ikke til stede|automaattinen (?:vastaus|poissaolo)|poissa|odpowiedź automatyczna/,
      /automatyczna odpowiedź|autoodpowied|nieobecno|automatick[aá] odpově[dď]|automatická odpoveď|nepřítomn/,
      /automatikus válasz|házon kívül|răspuns automat|автоматическ\S{1,4} ответ|автоответ|отсутств/,
      /нет на (?:месте|работе)|автоматична відповідь|αυτόματη απάντηση|εκτός γραφείου/,
      /otomatik (?:yanıt|cevap)|ofis dışında|automatski odgovor|samodejni odgovor|автоматичен отговор/,
      /tự động trả lời|balasan otomatis|automaatvastus|自動返信|自動応答|自動回覆|自动回复|自动答复|不在|外出|休假|자동 ?(?:회신|응답|답장)|부재/,
      /תשובה אוטומטית|מחוץ למשרד|رد تلقائي|خارج المكتب|स्वचालित|trả lời tự động|tự động|ตอบกลับอัตโนมัติ/,
      /การตอบกลับอัตโนมัติ|jawab(?:an)? (?:otomatis|automatik)|automātiska atbilde|automatinis atsakymas/,
      /automatske? odgovor|аутоматски одговор|resposta automàtica|sjálfvirkt svar|پاسخ خودکار/,
      /accusé de réception|acuse de recibo|eingangsbestätigung|ontvangstbevestiging|conferma di ricezione/,
      /confirmação de rece[bp]|potwierdzenie (?:otrzymania|przyjęcia)/,
    ],
  ],
  'iu',
)

/** The same words as a label at the start of the text, where programs repeat the subject. "Away:" is not one: people write it. */
export const automaticLabel = sequence(
  [
    /^\s*/,
    [
      /auto(?:mat(?:ic|ed))?[- ]?(?:reply|response)|automatische (?:antwort|nachricht)|automatisch antwoord/,
      /réponse automatique|respuesta autom[aá]tica|risposta automatica|resposta autom[aá]tica/,
      /automatis[kt]{1,2} svar|autosvar|automaattinen vastaus|automatyczna odpowiedź|automatick[áé] odpov[ěe][dď]/,
      /automatikus válasz|răspuns automat|автоматический ответ|автоответ|автоматична відповідь/,
      /αυτόματη απάντηση|otomatik (?:yanıt|cevap)|automatski odgovor|automatinis atsakymas|automātiska atbilde/,
      /自動(?:返信|応答|回覆)|自动(?:回复|答复)|자동 ?(?:회신|응답|답장)|(?:מענה|תשובה) אוטומטית?|رد تلقائي/,
      /trả lời tự động|ตอบกลับอัตโนมัติ|balasan otomatis/,
    ],
    / {0,3}[:：]/,
  ],
  'iu',
)

export const saysAutomatic = anyOf(
  [
    /this is an? (?:automat(?:ic|ed)|auto[- ]?generated)/,
    /(?:automated|automatic|auto-?generated) (?:reply|response|message|e-?mail|answer)/,
    /automatisch (?:generierte|erstellte|erzeugte)|automatische (?:antwort|nachricht)/,
    /(?:réponse|message) automatique|(?:respuesta|mensaje) autom[aá]tic[ao]/,
    /(?:risposta|messaggio) automatic[ao]|(?:resposta|mensagem) autom[aá]tica/,
    /automatisch (?:antwoord|bericht|gegenereerd)|automatiskt (?:svar|meddelande)/,
    /automatisk (?:svar|besked)|do not reply to this(?! address)|自動(?:返信|送信)|自动(?:回复|发送)/,
  ],
  'i',
)
export const saysAway = anyOf(
  [
    sequence([
      /\bi(?:'m| am|’m)(?: currently| now)? /,
      [
        /out of (?:the )?office|away (?:from|until|on|and)/,
        /on (?:vacation|holiday|annual leave|leave|parental|maternity|paternity)|currently away/,
      ],
    ]),
    /\bout of (?:the )?office (?:until|from|and|with|on)|currently away (?:from|returning|until)/,
    /limited access to (?:my )?e-?mail/,
    sequence([
      /bin (?:ich )?(?:derzeit |zurzeit |momentan |vom |bis )?[^.]{0,60}/,
      [/nicht im (?:büro|haus)|abwesend|außer haus|im urlaub|nicht erreichbar/],
    ]),
    /je suis (?:actuellement )?(?:absent|en congé|en vacances|hors du bureau)/,
    /estoy (?:fuera|de vacaciones|ausente)|estaré (?:fuera|ausente|de vacaciones)/,
    /sono (?:fuori|assente|in ferie)|sarò (?:assente|fuori)|estou (?:fora|ausente|de férias)/,
    /ben (?:ik )?(?:momenteel )?(?:afwezig|met vakantie|niet aanwezig)/,
    /jag är (?:på semester|borta|inte på kontoret)|jeg er (?:på ferie|ikke på kontoret)/,
    /jestem (?:na urlopie|nieobecn)|przebywam na urlopie|(?:нахожусь|буду) в отпуске|休暇をいただいて|不在にして/,
  ],
  'i',
)

/** Excludes sentences such as "die Angebote werden automatisch erstellt", which are not about mail. */
const notOfOthers =
  /(?=automatisch )(?<!(?:^|[.!?])(?:(?!nachricht|mail|antwort|dies)[^.!?]){0,80}\bwerden\b(?:(?!nachricht|mail|antwort|dies)[^.!?]){0,60})/

/** The message says of itself that it is automatic. People may also write about automatic messages or ask whether one is. */
export const saysItself = anyOf(
  [
    sequence([
      /\bthis /,
      [/is an?|(?:e-?mail|message|reply|response|mail|notification) (?:is|was|has been)(?: an?)?/],
      / (?:auto(?:mated|matic|matically|[- ]?generated)|machine[- ]generated|computer[- ]generated)/,
      /(?![^.!?]{0,80}\?)/,
    ]),
    sequence([
      /\bthis /,
      [/mailbox|inbox|e-?mail (?:address|account)|account|address/],
      / is (?:not|no longer|un)(?: being| actively| regularly)? ?/,
      /(?:monitored|checked|read|in use|used|attended|active)/,
    ]),
    /\b(?:unmonitored|unattended) (?:mailbox|inbox|e-?mail|address|account)/,
    sequence([
      /\b(?:do not|don't|cannot|can't) (?:reply|respond) (?:directly )?to this /,
      /(?:e-?mail|message|address|mail|notification)(?!,? but)/,
    ]),
    sequence([
      [
        /(?:dies|das|hier) ist (?:nur )?eine? (?:automatische[nrs]? (?:antwort|e-?mail|nachricht|rückmeldung)|abwesenheitsnotiz)/,
        /hierbei handelt es sich um eine automatische (?:antwort|e-?mail|nachricht|rückmeldung)/,
        /(?:c(?:eci|ela|['’])\s?est|il s['’]agit d['’]) ?une? (?:réponse|message|courriel|e-?mail|mail) automatique/,
        /(?<!no )(?:se trata de una|si tratta di una|trata-se de uma) (?:respuesta autom[aá]tica|risposta automatica|resposta automática)/,
        /c(?:eci|['’])\s?est un message d['’]absence|est[ea] (?:mensaje|correo|mensagem|e-?mail) (?:es|é) autom[aá]tic[ao]/,
        /est[eao] (?:es|é) (?:una?|uma?) (?:respuesta|mensaje|correo|resposta|mensagem|e-?mail) autom[aá]tic[ao]/,
        /quest[ao] è una? (?:risposta|messaggio|e-?mail) automatic[ao]/,
        /dit is een automati(?:sch|sche) (?:antwoord|bericht|reactie|e-?mail)/,
        /dett?[ae] (?:är|er) ett? automatiske?t? (?:svar|meddelande|besked|melding|e-?post)/,
        /(?:to jest|jest to) (?:automatyczna (?:odpowiedź|wiadomość)|wiadomość automatyczna)/,
        /(?:toto|tohle) je automatick[áé] (?:odpověď|odpoveď|zpráva|správa)/,
        /tämä on automaattinen (?:vastaus|viesti)|ez egy automatikus (?:válasz|üzenet)/,
        /acesta este un (?:răspuns|mesaj) automat|bu (?:bir )?otomatik (?:bir )?(?:yanıt|cevap|mesaj)/,
        /это (?:письмо — )?автоматическ(?:ий|ое) (?:ответ|сообщение|письмо)|це автоматична відповідь/,
        /これは自動(?:返信|応答)|(?:这|這)是(?:一封)?自[动動](?:回复|回覆|答复)|자동 ?(?:응답|회신) ?(?:메일|메시지)?입니다/,
      ],
      /(?![^.!?]{0,80}\?)/,
    ]),
    // Excludes other things, such as "automatisch erstellte Rechnungen".
    sequence([
      notOfOthers,
      /automatisch (?:generiert|erstellt|erzeugt|versandt|versendet|verschickt)/,
      notBefore([
        /[^.!?]{0,80}\?/,
        sequence([
          /e[mnrs]? /,
          notBefore([
            /\p{L}{0,20}(?:nachricht|e-?mail|mail|antwort|benachrichtigung|meldung|mitteilung|notiz|bestätigung)/u,
          ]),
        ]),
      ]),
    ]),
    /antworten sie (?:bitte )?nicht (?:auf diese|direkt)|bitte nicht (?:auf diese[^.]{0,20} )?antworten(?!, (?:ich|wir) )/,
    /(?:généré|envoyé|créé)e? automatiquement(?![^.!?]{0,80}\?)|ne pas (?:y )?répondre/,
    /(?:generad|enviad|cread|gerad)[oa] autom[aá]tica?mente|no responda (?:a este|este)/,
    /generat[oa] automaticamente|non rispondere a quest|não responda a est/,
    /automatisch (?:gegenereerd|verstuurd|verzonden)|niet (?:te )?beantwoorden/,
    /(?:wygenerowan|wysłan)\p{L}{1,2} automatycznie|automatycznie (?:wygenerowan|wysłan)/u,
    /nie odpowiadaj na t|(?:auto(?:matiskt|matisk)?[- ]?genere?r(?:at|et|t))|automaattise(?:sti|n)/,
    /automaticky (?:vygener|generov|vytvoř|odesl)|otomatik olarak (?:gönder|oluştur)/,
    /автоматическ(?:и|ое|ая) (?:созда|сгенер|отправ|сформир|уведомл|сообщ|письм|рассыл)/,
    /не отвечайте на это|автоматично (?:створ|згенер|надісл)|自動(?:送信|配信|返信|応答)/,
    /返信(?:はご遠慮|いただいても|できません|しないで|なさらない)|(?:系统|系統)自[动動]|自[动動](?:发送|發送|生成|回复|回覆)|请勿(?:直接)?回[复覆]/,
    /請勿(?:直接)?回[复覆]|자동(?:으로)? ?(?:발송|발신|생성|회신)|발신 ?전용/,
  ],
  'iu',
)
/** Confirmations of help desks and forms. They count only outside of a thread, because people write them too. */
export const acknowledges = anyOf(
  [
    /^(?:[^#]{0,200})##-? ?please (?:type|write) your reply above/,
    sequence([
      /\b(?:ticket|case|request|incident|reference) (?:number |no\.? ?|id |#){0,2}[\w-]{2,20} /,
      /(?:has|have|was) (?:been )?(?:received|created|opened|logged|registered)/,
    ]),
    sequence([
      /\b(?:your|the|a|new) (?:support )?/,
      [/request|ticket|case|enquiry|inquiry|message|e-?mail|submission|application/],
      /\b[^.!?]{0,60}\b(?:has been|have been|was|were|is) (?:now )?/,
      [/received|created|opened|logged|registered|submitted|assigned|forwarded to our/],
    ]),
    sequence([
      /\bwe(?:'ve| have)? (?:successfully )?(?:received|got) your /,
      [/e-?mail|message|request|enquiry|inquiry|submission|application/],
    ]),
    sequence([
      /\bthank(?:s| you) for /,
      [/contacting|reaching out|getting in touch|writing(?: to)?/, /your (?:e-?mail|message|enquiry|inquiry|interest)/],
      /\b[^?]{0,200}/,
      [
        /\bwill\b[^.!?]{0,40}\b(?:get back|be in touch|respond|reply|contact|review)/,
        /as soon as (?:possible|we can)|within \d|shortly|business (?:days|hours)/,
      ],
    ]),
    sequence([
      /(?:click|follow|visit|open|tap) (?:on )?(?:the|this) (?:link|button|url)[^.!?]{0,80}/,
      /(?:confirm|verify|prove|deliver|approve|release)/,
    ]),
    /\bnot a (?:ro)?bot\b[^?]{0,120}(?:deliver|verif|link)/,
    /\b(?:complete|pass) the (?:verification|captcha|challenge)/,
    sequence([
      /(?:held|quarantined|blocked|queued) (?:until|because|pending)[^.!?]{0,80}/,
      /(?:confirm|verify|prove|approv|sender)/,
    ]),
    sequence([
      [
        /vielen dank für (?:ihre|deine) (?:nachricht|anfrage|e-?mail|mail|kontaktaufnahme)/,
        /ihre (?:nachricht|anfrage|e-?mail) (?:ist|wurde|haben wir)/,
        /wir haben ihre (?:nachricht|anfrage|e-?mail|mail)/,
      ],
      /[^?]{0,200}/,
      [
        /eingegangen|erhalten|schnellstmöglich|umgehend|in kürze|werktag|so (?:schnell|bald|rasch) wie/,
        /zeitnah|melden uns|bearbeite/,
      ],
    ]),
    /(?:avons bien reçu|a bien été reçue?|accusons réception)/,
    anyOf([
      /hemos recibido (?:su|tu)/,
      /(?:su|tu) (?:mensaje|solicitud|consulta|correo) ha sido (?:recibid|registrad)/,
    ]),
    anyOf([
      /abbiamo ricevuto (?:la (?:sua|tua|vostra)|il (?:suo|tuo|vostro))/,
      /(?:sua|tua|vostra) richiesta è stata (?:ricevuta|presa)/,
    ]),
    anyOf([
      /recebemos (?:o seu|a sua|seu|sua)/,
      /(?:sua|seu) (?:mensagem|solicitação|e-?mail|pedido) foi (?:recebid|registrad)/,
    ]),
    /(?:wij|we) hebben (?:uw|je) (?:bericht|vraag|e-?mail|mail|aanvraag)[^.]{0,20} (?:goed )?ontvangen/,
    anyOf([
      /otrzymaliśmy (?:twoj|państwa|pańsk)/,
      /(?:zgłoszenie|wiadomość) został[ao] (?:przyjęt|zarejestrowan|otrzyman)/,
    ]),
    /vi har (?:mottagit|modtaget|mottatt|tagit emot) (?:ditt|din|dit|dine|deres)/,
    sequence([
      /(?:ваше (?:обращение|сообщение|письмо|заявка)|ваша заявка)[^.]{0,30}/,
      /(?:принят|получен|зарегистрирован)/,
    ]),
    /(?:お問い?合わ?せ|メール)[^。]{0,30}(?:受け付けました|受付(?:いた)?しました|ありがとうござい)[^。]{0,80}|(?:已收到您的|我们已收到|我們已收到)/,
    /(?:문의|메일)[^.]{0,20}(?:접수|수신)(?:되었|했|하였)/,
  ],
  'iu',
)

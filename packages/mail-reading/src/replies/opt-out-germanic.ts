import { anyOf, notBefore, sequence } from '@overture/ground/text/patterns.ts'

/** The same requests in German, Dutch and the Nordic languages. */
export const germanicRequests: readonly RegExp[] = [
  /\b(?:kunt u|kan je|kun je|gelieve|graag|wil)[^.!?]{0,40}\b(?:uitschrijven|afmelden)\b/i,
  sequence(
    [
      /\b(?:nehmen|streichen|löschen|entfernen|tragen) sie /,
      /(?:mich|uns|bitte|meine|unsere|diese)[^.!?]{0,60}/,
      [/verteiler|liste|datenbank|adresse|daten|mailadresse|aus\b/],
    ],
    'i',
  ),
  /\b(?:nimm|streich|lösch|entfern|trag)\w{0,2} (?:mich|uns|meine|bitte)[^.!?]{0,50}(?:verteiler|liste|aus\b|adresse)/i,
  sequence(
    [
      /\b(?:keine|keinerlei) /,
      [
        /(?:weiteren?|solchen?|mehr) (?:e-?mails?|mails?|nachrichten?|werbung|zusendungen?)|e-?mails/,
        /mails|nachrichten|werbung|kontaktaufnahme|zusendungen|werbemails?|newsletter/,
      ],
      /\b(?![^.!?]{0,40}(?:nochmal|noch einmal|erneut|angekommen|gefunden))[^.!?]{0,30}/,
      [/mehr|senden|schicken|schreiben|erhalten|zusenden|wünsche|bekommen|bitte|[.!]*$/],
    ],
    'i',
  ),
  anyOf(
    [
      sequence([
        /\b(?:bitte|fordere|verlange|beantrage)\b[^.!?]{0,25}\b/,
        /(?:löschung|entfernung|abmeldung|austragung)\b[^.!?]{0,30}(?:daten|adresse|mail|verteiler|liste|$)/,
      ]),
      /^\s*stoppen sie (?:das|diese|die (?:e-?mails|mails|werbung|nachrichten))/,
    ],
    'i',
  ),
  sequence(
    [
      /\b(?:schreiben|kontaktieren|mailen|belästigen) sie (?:mich|uns|mir)[^.!?]{0,20}/,
      /(?:nicht|bitte nicht|nie)(?: ?(?:mehr|wieder|weiter))?/,
      notBefore([/ (?:vor|bis|im|am|ab|während|an|über|telefonisch|per telefon)\b/]),
    ],
    'i',
  ),
  anyOf(
    [
      /\bmelden sie (?:mich|uns)[^.!?]{0,30}\bab\b(?=\s*(?:bitte\s*)?(?:[.!,]|$))/,
      /\bmich (?:bitte )?[^.!?]{0,30}\b(?:abmelden|austragen|abbestellen)\b/,
    ],
    'i',
  ),
  /\bwiderspreche[^.!?]{0,60}(?:nutzung|verarbeitung|werb|daten|kontakt)/i,
  anyOf(
    [
      /\bunterlassen sie[^.!?]{0,40}(?:mails?|nachrichten|werbung|kontakt|zusendung|zuschriften|anfragen)/,
      sequence([
        /\b(?:von|auf) (?:weiteren|zukünftigen|künftigen) /,
        [/e-?mails?|mails|nachrichten|anfragen|kontaktaufnahmen|zusendungen/],
        /[^.!?]{0,20}(?:abzusehen|absehen|verzichten|abstand)/,
      ]),
    ],
    'i',
  ),
  anyOf(
    [
      sequence([
        /(?<!\p{L})(?:nehmt|streicht|löscht|entfernt|tragt) (?:mich|uns|bitte|meine|unsere)/u,
        /(?!\p{L})[^.!?]{0,50}(?:verteiler|liste|datenbank|adresse|daten|aus(?!\p{L}))/u,
      ]),
      sequence([
        /nicht (?:mehr|weiter)[^.!?]{0,25} (?:kontaktiert|angeschrieben|angemailt|belästigt|beworben) /,
        /(?:werden|zu werden)/,
      ]),
      sequence([
        /(?:löschen|entfernen) sie[^.!?]{0,25} (?:meine|unsere) (?:personenbezogenen )?/,
        /(?:daten|(?:e-?mail-?)?adresse|kontakt\p{L}{0,8})/u,
      ]),
    ],
    'iu',
  ),
  sequence(
    [
      /(?<!\p{L})(?:bitte|wunsch)[^.!?]{0,25} (?:aus|von) (?:dem|ihrem|eurem|der|ihrer|eurer) /u,
      /(?:e-?mail-?|mail-?|newsletter-?)?/,
      /(?:verteiler|liste|datenbank|mailingliste|newsletter)[^.!?]{0,12} /,
      /(?:nehmen|entfernen|streichen|löschen|austragen|raus)/,
    ],
    'iu',
  ),
  anyOf(
    [
      sequence([
        /(?<!\p{L})nicht (?:mehr|weiter|wieder|nochmals?) (?:an)?/u,
        [/schreiben|kontaktieren|mailen|belästigen|anschreiben|zusenden|zuschicken/],
        /(?!\p{L})/u,
      ]),
      /수신(?:을|를)? ?거부/,
    ],
    'iu',
  ),
  anyOf(
    [
      /\bhören sie (?:bitte |endlich |sofort |doch )*auf,? (?:mir|uns|mich)/,
      /\bsehen sie[^.!?]{0,20}von (?:weiteren|künftigen|zukünftigen)[^.!?]{0,40}\bab\b/,
      /\b(?:e-?mails?|werbung|nachrichten) (?:sind |ist )?(?:un|nicht )(?:erwünscht|gewünscht)/,
    ],
    'i',
  ),
  anyOf(
    [
      sequence([
        /\b/,
        [/mij|me|ons|mijn (?:e-?mail\p{L}*|adres|gegevens|naam)|dit (?:e-?mail)?adres/u],
        /\b[^.!?]{0,50}\b(?:te )?/,
        [/verwijderen|schrappen|uitschrijven|afmelden|uit te schrijven|af te melden/],
        /\b/,
        notBefore([
          sequence([
            / voor (?:het|de|dit|deze) /,
            [/event|evenement|webinar|cursus|training|sessie|bijeenkomst|demo|lunch|afspraak|call/, /meeting/],
          ]),
        ]),
      ]),
      sequence([
        /\bstop(?:pen)? met (?:(?:mij|me|ons|het) )?(?:te )?/,
        [/e-?mailen|mailen|sturen|spammen|contacteren|benaderen|schrijven|e-?mails|mails/],
      ]),
    ],
    'iu',
  ),
  sequence(
    [
      /\b/,
      [
        sequence([
          /(?:schrijf|meld|haal|verwijder|schrap) (?:mij|me|ons|mijn)[^.!?]{0,40}/,
          /(?:uit|af|van (?:de|uw|jullie)|lijst|adres|bestand)/,
        ]),
        sequence([
          /(?:geen|stop met)[^.!?]{0,12}(?:e-?mails?|mails?|berichten)[^.!?]{0,20}/,
          /(?:meer|sturen|ontvangen)/,
        ]),
        /(?:mij|me|ons) niet meer (?:te )?(?:mailen|benaderen|contacteren|schrijven)/,
        /(?:wil|wens) (?:ik )?(?:graag )?(?:worden )?(?:uitgeschreven|me (?:uitschrijven|afmelden))/,
      ],
    ],
    'i',
  ),
  sequence(
    [
      /(?<!\p{L})(?:wil|wens|willen|wensen|graag)[^.!?]{0,15} geen (?:verder |enkel |meer )?/u,
      /(?:contact|mails?|e-?mails?|berichten|reclame)(?!\p{L})/u,
    ],
    'iu',
  ),
  anyOf(
    [
      sequence([
        /(?<!\p{L})niet (?:meer|langer) (?:te )?/u,
        [/mailen|contacteren|benaderen|schrijven|lastig|sturen|e-?mailen|toesturen/],
      ]),
      /(?<!\p{L})no (?:más|mas) (?:correos?|e-?mails?|mails?|mensajes)(?!\p{L})/u,
      /(?<!\p{L})(?:chega|sem mais|não mais) (?:de )?(?:e-?mails?|mensagens)/u,
      /żadnych (?:więcej )?(?:maili|wiadomości|e-maili)/,
      sequence([
        /(?<!\p{L})(?:inga|ikke) (?:fler|flere|mer|mere) /u,
        [/mails?|mejl|e-?post\p{L}{0,2}|beskeder|meddelanden|henvendelser/u],
      ]),
    ],
    'iu',
  ),
  sequence(
    [
      /(?<!\p{L})(?:verwijder|schrap|haal|uitschrijv|schrijf|haalt)\p{L}{0,2}(?!\p{L})[^.!?]{0,40} /u,
      /(?:uit|van|in) (?:uw|jullie|je|jouw) [^.!?]{0,25}(?:bestand|lijst|database|systeem|adressen)/,
    ],
    'iu',
  ),
  sequence(
    [
      /(?<!\p{L})/u,
      [
        /ta bort (?:mig|oss|min|mitt)|avregistrera (?:mig|oss)|sluta (?:skicka|mejla|maila|kontakta)/,
        /(?:inga|inte) (?:fler|skicka|få|ha) (?:mer |fler )?(?:mejl|mail|e-?post|utskick)/,
        /vill inte (?:ha|få) (?:fler|mer|era|dessa)/,
        /(?:fjern|slet|afmeld|meld) (?:mig|meg|mit|min|oss|os)\b/,
        /(?:ikke|ikkje) (?:send|kontakt|skriv)[^.!?]{0,20}(?:mere|mer|flere)/,
        /stop med at (?:sende|skrive|kontakte)|slutt å (?:sende|kontakte)/,
        /ønsker ikke (?:flere|å (?:motta|få)|at (?:modtage|få))/,
        /vill inte (?:längre )?(?:ha|få|bli)[^.!?]{0,15} (?:mejl|mail|utskick|kontaktad)/,
      ],
    ],
    'iu',
  ),
  sequence(
    [
      /(?<!\p{L})/u,
      [
        sequence([
          /(?:slet|slett|radera|ta bort|fjern|poista|usuńcie|smažte) (?:mine|mina|min|mitt|moje) /,
          [/data|uppgifter|opplysninger|oplysninger|adress|e-?post|mail|mejl|dane/],
        ]),
        /send (?:mig |meg |oss |os )?ikke (?:flere|mere|mer)/,
        sequence([
          /ikke (?:kontakt|skriv|send|mail|maile|kontakte) (?:til )?(?:meg|mig|oss|os)(?!\p{L})/u,
          /(?! før| inden)/,
        ]),
        sequence([
          /(?:skicka|kontakta|mejla|maila|skriv) (?:mig |oss )?inte (?:mig |oss )?/,
          /(?:fler|mer|igen|längre)/,
        ]),
      ],
    ],
    'iu',
  ),
  sequence(
    [
      /(?<!\p{L})(?:stopp|stop|sluta|slutt|hold op|lad være)(?: med)?(?: å| at)? /u,
      [/sende?|skicka|skrive?|skriva|kontakte|kontakta|maile|maila|mejla|spamm[ea]/],
      /(?!\p{L})/u,
    ],
    'iu',
  ),
]

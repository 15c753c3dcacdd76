import { sequence } from '@overture/ground/text/patterns.ts'

/** Word stems of one language: the removal (`verbs`), the writer's entry (`mine`), and the kind of list (`lists`). */
interface Removal {
  verbs: string
  mine: string
  lists: string
  /** The possessive never comes before the verb in this language. */
  verbFirst?: boolean
}

const languages: readonly Removal[] = [
  {
    verbs: 'remov|delet|eras|exclud|take|taken|taking|drop|strike|scrub|unsubscrib|purge|get me|get us',
    mine: 'me|us|my|our|this (?:e-?mail|address)',
    lists: 'lists?|mailings?|mailing list|database|distribution|newsletters?|records|crm|subscriptions?',
    verbFirst: true,
  },
  {
    verbs: 'lösch|loesch|entfern|streich|nehm|nimm|austrag|trag|raus|abmeld|tilg',
    mine: 'mich|uns|mein|unser',
    lists: 'verteiler|listen?|datenbank|mailing|newsletter|kartei|adressbestand',
  },
  {
    verbs: 'retir|supprim|désabonn|désinscri|enlev|effac|ôte|ray|radi|sort',
    mine: 'moi|me|m|nous|mon|ma|mes|notre|nos',
    lists: 'listes?|bases?|mailing|fichiers?|newsletter|diffusion|envois',
  },
  {
    verbs: 'elim[ií]n|b[oó]rr|qu[ií]t|ret[ií]r|s[aá]qu|s[aá]c|exclu|suprim',
    mine: 'me|nos|mi|mis|nuestr|\\p{L}{3,12}(?:me|nos)',
    lists: 'listas?|base|mailing|registros|bolet[ií]n|newsletter',
  },
  {
    verbs: 'cancell|rimuov|elimin|togli|toglie|esclud|disiscri|levat',
    mine: 'mi|ci|me|noi|mio|mia|miei|nostr|\\p{L}{3,12}(?:mi|ci)',
    lists: 'list[ae]|elenc|mailing|database|newsletter|archivi',
  },
  {
    verbs: 'remov|retir|tir|exclu|apag|elimin|sair',
    mine: 'me|nos|meu|minha|noss',
    lists: 'listas?|base|mailing|cadastro|newsletter|banco',
  },
  {
    verbs: 'verwijder|haal|schrap|schrijf|uitschrijv|gooi|meld',
    mine: 'mij|me|ons|mijn|onze',
    lists: 'lijst|maillijst|mailinglijst|bestand|adressenbestand|database|nieuwsbrief|mailing',
  },
  {
    verbs: 'usu[nń]|wypis|wykreśl|skreśl|wyrejestr',
    mine: 'mnie|nas|mój|moj|nasz',
    lists: 'list|baz|mailing|newsletter|subskryp',
  },
  {
    verbs: 'ta bort|tag bort|radera|avregistrer|fjern|slet|slett|stryk|plocka bort|ta av|meld',
    mine: 'mig|meg|oss|os|min|mitt|mine|mina|vår',
    lists: 'list|liste|register|databas|database|utskick|mailing|nyhetsbrev|nyhedsbrev',
  },
  { verbs: 'poista', mine: 'minu|meidä|osoitteeni|sähköpostini', lists: 'lista|rekisteri|postitus|listalta' },
  {
    verbs: 'odstra|vymaž|smaž|vyřa|vyra[ďd]|vyškrt|odhl',
    mine: 'mě|mne|ma|nás|můj|moj|moji|mou|naš',
    lists: 'seznam|zoznam|databáz|mailing|list|odběr',
  },
  { verbs: 'töröl|vegy|távolíts', mine: 'engem|minket|címem|adataim|nev', lists: 'list|adatbázis|hírlev' },
  { verbs: 'șterge|sterge|scoate|elimina', mine: 'mă|ma|ne|mea|noastr', lists: 'list|baz|newsletter' },
  {
    verbs: 'удал|исключ|убер|убрать|вычерк|отпиш|видал|приберіть|виключ',
    mine: 'меня|нас|мой|моё|мою|мои|наш|мене|мій|мої',
    lists: 'рассыл|спис|баз|розсил',
  },
  { verbs: 'çıkar|sil|kaldır', mine: 'beni|bizi|adresimi|mailimi|bilgilerimi', lists: 'liste|veri|bülten|kayıt' },
  { verbs: 'αφαιρ|διαγρ|βγάλτε', mine: 'με|μας|μου', lists: 'λίστα|λιστα|βάση' },
  { verbs: 'uklon|obriš|izbriš|makn|odjav', mine: 'me|nas|moj|naš', lists: 'list|baz|mailing|newsletter' },
]

/** Words about another kind of list, about a postponed matter, or about another person's matter. */
const otherMatters = sequence(
  [
    /(?<!\p{L})/u,
    [
      /wait|waiting|webinar|down for|guest|short|attend|invit|book|price|meeting|thread|call|order/,
      /invoice|offer|quote|contract|wart|preis|punkt|position|zeile|angebot|herrn|frau|kolleg|ligne/,
      /devis|contrat|commande|pedido|presupuesto|partida|preventivo|contratto|punt|offerte|punkt/,
      /pozycj|ofert|pris|пункт|строк|until|before|vor|avant|antes|prima|voor|przed|före|før|bis|hasta/,
      /auf|einzutragen|aufnehmen|hinzu|inscrivez|add|ajoutez/,
    ],
    /(?!\p{L})/u,
  ],
  'iu',
)

const patterns = languages.map(({ verbs, mine, lists, verbFirst = false }) => {
  const orders = [
    `(?:${verbs})\\p{L}{0,8}(?: \\p{L}{1,10})? (?:${mine})`,
    `(?:${verbs})\\p{L}{0,6}(?:-|t[ei])?(?:moi|nous|me|nos|mi|ci|nme)(?!\\p{L})`,
    ...(verbFirst ? [] : [`(?:${mine})\\p{L}{0,4}(?: \\p{L}{1,12}){1,6} (?:${verbs})`]),
  ]
  return {
    near: new RegExp(`(?<!\\p{L})(?:${orders.join('|')})`, 'iu'),
    list: new RegExp(`(?<!\\p{L})(?:${lists})\\p{L}{0,8}(?!\\p{L})`, 'iu'),
  }
})

/** Whether a short sentence asks to remove the writer's entry from a list, in any word order. */
export function asksForRemoval(sentence: string): boolean {
  if (sentence.length > 140 || otherMatters.test(sentence)) return false
  return patterns.some(({ near, list }) => near.test(sentence) && list.test(sentence))
}

/** Requests to be left alone. */
export const leaveAlone = sequence(
  [
    /(?<!\p{L})/u,
    [
      /leave (?:me|us) (?:alone|in peace)/,
      /(?:lassen|lass|lasst)(?: sie)? (?:mich|uns)[^.!?]{0,12} in (?:ruhe|frieden)/,
      /laissez[- ](?:moi|nous) (?:tranquille|en paix)|d[eé]je(?:n)?(?:me|nos) en paz/,
      /lasciat?e?(?:mi|ci) (?:in pace|stare)|laat (?:me|mij|ons) met rust/,
      /deixe(?:m)?[- ](?:me|nos) em paz|dajcie (?:mi|nam) (?:święty )?spokój|lämna (?:mig|oss) i fred/,
      /lad (?:mig|os) være|la (?:meg|oss) være|jättäkää (?:minut|meidät) rauhaan/,
      /nech(?:te|ejte)? (?:mě|mne|nás|ma) (?:být|na pokoji|na pokoj)|hagyjanak békén/,
      /lăsați-mă în pace|оставьте (?:меня|нас) в покое|отстаньте|залиште (?:мене|нас) у спокої/,
      /rahat bırakın|αφήστε με ήσυχ/,
    ],
    /(?!\p{L})/u,
  ],
  'iu',
)

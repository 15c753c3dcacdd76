/** Word stems of one language: the removal (`verbs`), the writer's entry (`mine`), and the kind of list (`lists`). */
interface Removal {
  verbs: string
  mine: string
  lists: string
  /** The possessive never comes before the verb in this language. */
  verbFirst?: boolean
}

export const removals: Readonly<Record<string, Removal>> = {
  English: {
    verbs: 'remov|delet|eras|exclud|take|taken|taking|drop|strike|scrub|unsubscrib|purge|get me|get us',
    mine: 'me|us|my|our|this (?:e-?mail|address)',
    lists: 'lists?|mailings?|mailing list|database|distribution|newsletters?|records|crm|subscriptions?',
    verbFirst: true,
  },
  German: {
    verbs: 'lösch|loesch|entfern|streich|nehm|nimm|austrag|trag|raus|abmeld|tilg',
    mine: 'mich|uns|mein|unser',
    lists: 'verteiler|listen?|datenbank|mailing|newsletter|kartei|adressbestand',
  },
  French: {
    verbs: 'retir|supprim|désabonn|désinscri|enlev|effac|ôte|ray|radi|sort',
    mine: 'moi|me|m|nous|mon|ma|mes|notre|nos',
    lists: 'listes?|bases?|mailing|fichiers?|newsletter|diffusion|envois',
  },
  Spanish: {
    verbs: 'elim[ií]n|b[oó]rr|qu[ií]t|ret[ií]r|s[aá]qu|s[aá]c|exclu|suprim',
    mine: 'me|nos|mi|mis|nuestr|\\p{L}{3,12}(?:me|nos)',
    lists: 'listas?|base|mailing|registros|bolet[ií]n|newsletter',
  },
  Italian: {
    verbs: 'cancell|rimuov|elimin|togli|toglie|esclud|disiscri|levat',
    mine: 'mi|ci|me|noi|mio|mia|miei|nostr|\\p{L}{3,12}(?:mi|ci)',
    lists: 'list[ae]|elenc|mailing|database|newsletter|archivi',
  },
  Portuguese: {
    verbs: 'remov|retir|tir|exclu|apag|elimin|sair',
    mine: 'me|nos|meu|minha|noss',
    lists: 'listas?|base|mailing|cadastro|newsletter|banco',
  },
  Dutch: {
    verbs: 'verwijder|haal|schrap|schrijf|uitschrijv|gooi|meld',
    mine: 'mij|me|ons|mijn|onze',
    lists: 'lijst|maillijst|mailinglijst|bestand|adressenbestand|database|nieuwsbrief|mailing',
  },
  Polish: {
    verbs: 'usu[nń]|wypis|wykreśl|skreśl|wyrejestr',
    mine: 'mnie|nas|mój|moj|nasz',
    lists: 'list|baz|mailing|newsletter|subskryp',
  },
  Nordic: {
    verbs: 'ta bort|tag bort|radera|avregistrer|fjern|slet|slett|stryk|plocka bort|ta av|meld',
    mine: 'mig|meg|oss|os|min|mitt|mine|mina|vår',
    lists: 'list|liste|register|databas|database|utskick|mailing|nyhetsbrev|nyhedsbrev',
  },
  Finnish: { verbs: 'poista', mine: 'minu|meidä|osoitteeni|sähköpostini', lists: 'lista|rekisteri|postitus|listalta' },
  CzechAndSlovak: {
    verbs: 'odstra|vymaž|smaž|vyřa|vyra[ďd]|vyškrt|odhl',
    mine: 'mě|mne|ma|nás|můj|moj|moji|mou|naš',
    lists: 'seznam|zoznam|databáz|mailing|list|odběr',
  },
  Hungarian: { verbs: 'töröl|vegy|távolíts', mine: 'engem|minket|címem|adataim|nev', lists: 'list|adatbázis|hírlev' },
  Romanian: { verbs: 'șterge|sterge|scoate|elimina', mine: 'mă|ma|ne|mea|noastr', lists: 'list|baz|newsletter' },
  RussianAndUkrainian: {
    verbs: 'удал|исключ|убер|убрать|вычерк|отпиш|видал|приберіть|виключ',
    mine: 'меня|нас|мой|моё|мою|мои|наш|мене|мій|мої',
    lists: 'рассыл|спис|баз|розсил',
  },
  Turkish: {
    verbs: 'çıkar|sil|kaldır',
    mine: 'beni|bizi|adresimi|mailimi|bilgilerimi',
    lists: 'liste|veri|bülten|kayıt',
  },
  Greek: { verbs: 'αφαιρ|διαγρ|βγάλτε', mine: 'με|μας|μου', lists: 'λίστα|λιστα|βάση' },
  SouthSlavic: { verbs: 'uklon|obriš|izbriš|makn|odjav', mine: 'me|nas|moj|naš', lists: 'list|baz|mailing|newsletter' },
}

import { anyOf, sequence } from '@overture/ground/text/patterns.ts'
import type { BounceReason } from './bounce-reasons.ts'

/**
 * Words of Exchange and other servers in the reader's language, for reports without a code and without English words. The first
 * match decides, as in `bounceWords`. The text is in lower case with straight apostrophes.
 */
export const bounceWordsLocal: readonly [BounceReason, RegExp][] = [
  [
    'userunknown',
    anyOf(
      [
        /nicht im [^.]{0,40}(?:verzeichnis|adressbuch)/,
        /(?:verzeichnis|adressbuch)[^.]{0,40}nicht (?:auf(?:gelistet|geführt)|enthalten|gefunden)/,
        /(?:pas|non) (?:répertorié|listé|trouvé|présent)e?s? dans/,
        /no (?:aparece|figura|está|se encuentra)[^.]{0,30}(?:directorio|listín|agenda)/,
        /non (?:è )?(?:elencat|presente|trovat)[^.]{0,30}(?:rubrica|elenco|directory)/,
        /niet (?:vermeld|gevonden|opgenomen) in/,
        /não (?:consta|está|encontrado)[^.]{0,30}(?:diretório|catálogo)/,
      ],
      'u',
    ),
  ],
  [
    'mailboxfull',
    anyOf([
      /(?:bo[iî]te|messagerie)[^.]{0,60}(?:pleine|saturée)/,
      sequence([
        /quota[^.]{0,40}/,
        [
          /dépassé|atteint|überschritten|superad|superato|overschreden|överskriden|overskredet/,
          /przekroczon|překročen|превышен|ultrapassad|excedid/,
        ],
      ]),
      /buz[oó]n[^.]{0,60}llen|casella[^.]{0,60}(?:piena|esaurit)|caixa[^.]{0,60}(?:cheia|lotada)/,
      /postvak[^.]{0,60}\bvol\b|skrzynk[^.]{0,60}(?:pełn|przepełnion)/,
      /(?:postlåda|postkasse|postboks|brevlåda|innboks|indbakke|inkorg)[^.]{0,40}(?:full|fuld|fylt)/,
      /postilaatikko[^.]{0,40}(?:täynnä|täysi)|schránka[^.]{0,40}(?:pln|přeplněn)/,
      /postafiók[^.]{0,40}(?:megtelt|tele)|posta kutusu[^.]{0,40}(?:dolu|dolmuş)/,
      /(?:ящик|скринька)[^.]{0,60}(?:переполнен|заполнен|полон)/,
      /(?:邮箱|郵箱|信箱)[^。]{0,20}(?:已?满|已?滿|空间不足|空間不足)|(?:メールボックス|受信箱|容量)[^。]{0,20}(?:いっぱい|一杯|満|超え|超過)/,
      /(?:메일함|사서함|편지함)[^.]{0,20}(?:가득|꽉|초과)|postfach[^.]{0,60}(?:voll|überfüllt)/,
      /γραμματοκιβώτιο[^.]{0,40}πλήρες/,
    ]),
  ],
  [
    'mesgtoobig',
    anyOf([
      /(?:nachricht|mail)[^.]{0,40}zu groß|message[^.]{0,40}trop volumineux/,
      /mensaje[^.]{0,40}demasiado grande|messaggio[^.]{0,40}troppo grande/,
      /mensagem[^.]{0,40}(?:muito|demasiado) grande|bericht[^.]{0,40}te groot/,
      /wiadomość[^.]{0,40}(?:zbyt duż|za duż)|meddelandet?[^.]{0,40}för stort/,
      /(?:meddelelsen|beskeden|meldingen)[^.]{0,40}for stor|(?:сообщение|письмо)[^.]{0,40}слишком велик/,
      /サイズ[^。]{0,20}(?:超え|大きすぎ|制限)|(?:邮件|郵件)[^。]{0,10}(?:太大|过大|過大)/,
    ]),
  ],
  [
    'spamdetected',
    anyOf([
      /als (?:spam|unerwünscht)|(?:comme|en tant que) (?:spam|indésirable|pourriel)/,
      /como (?:spam|correo no deseado|lixo)|come (?:spam|posta indesiderata)|垃圾(?:邮件|郵件)|迷惑メール|スパム|спам/,
      /스팸/,
    ]),
  ],
  [
    'hostunknown',
    anyOf(
      [
        sequence([
          [/domäne|domain|domaine|dominio|domínio|domein|domen[aęy]?|doména|domän|domæne|домен\p{L}{0,3}/u],
          /[^.]{0,80}/,
          [
            /nicht gefunden|existiert nicht|gibt es nicht|introuvable|n'existe pas|no existe/,
            /no se (?:encontr|ha encontrado)|non (?:esiste|è stato trovato|trovato)/,
            /não (?:existe|foi encontrad)|niet gevonden|bestaat niet|nie istnieje|nie można (?:od)?naleźć/,
            /neexistuje|hittades inte|finns inte|findes ikke|finnes ikke|blev ikke fundet/,
            /не (?:найден|существует)/,
          ],
        ]),
        /does not appear to be (?:registered|a valid domain)|ドメイン[^。]{0,20}(?:見つかりません|存在しません)/,
        /(?:域名|网域|網域)[^。]{0,20}(?:不存在|找不到|无法解析)/,
      ],
      'u',
    ),
  ],
  [
    'userunknown',
    anyOf(
      [
        sequence([
          [/adress|mottagar|användar|postlåd|konto|modtager|bruger|postkasse|mottaker|bruker/],
          /\p{L}{0,5}[^.]{0,80}/u,
          [
            /hittades inte|kunde inte hittas|finns inte|okänd|blev ikke fundet|ble ikke funnet/,
            /kunne ikke (?:findes|finnes)|findes ikke|finnes ikke|ukendt|ukjent/,
          ],
        ]),
        /det gick inte att hitta/,
        sequence([
          /(?:adresse|empfänger|postfach|benutzer|konto|teilnehmer)[^.]{0,80}/,
          [/nicht gefunden|existiert nicht|unbekannt|ungültig|nicht bekannt|nicht vorhanden|gibt es nicht/],
        ]),
        sequence([
          /(?:adresse|destinataire|utilisateur|bo[iî]te|compte)[^.]{0,80}/,
          [
            /introuvable|inconnu|n'existe pas|n'a pas (?:pu être|été) trouvée?|est (?:incorrecte?|invalide)/,
            /inexistant/,
          ],
        ]),
        /impossible de trouver/,
        sequence([
          /(?:no se (?:encontr|ha encontrado|pudo encontrar|puede encontrar)\p{L}{0,3}|no existe) /u,
          /(?:la|el|ning)/,
        ]),
        sequence([
          /(?:dirección|destinatario|usuario|buzón|cuenta)[^.]{0,80}/,
          [/no existe|desconocid|no (?:se )?(?:ha )?(?:sido )?encontrad|no es válid/],
        ]),
        /impossibile trovare/,
        sequence([
          /(?:indirizzo|destinatario|utente|casella|account)[^.]{0,80}/,
          [/non (?:esiste|valid|(?:è stat[oa] )?trovat)|sconosciut|inesistente/],
        ]),
      ],
      'u',
    ),
  ],
  [
    'userunknown',
    anyOf(
      [
        sequence([
          /(?:adres|geadresseerde|ontvanger|postvak|gebruiker|mailbox)[^.]{0,80}/,
          [/niet (?:worden )?(?:gevonden|vinden)|bestaat niet|onbekend|ongeldig/],
        ]),
        sequence([
          /(?:endereço|destinatário|usuário|utilizador|caixa|conta)[^.]{0,80}/,
          [/não (?:foi |pôde ser )?(?:encontrad|localizad)|não existe|desconhecid|inválid|inexistente/],
        ]),
        /nie (?:można|udało się) (?:od|z)?naleźć/,
        sequence([
          /(?:adres|odbiorca|użytkownik|skrzynka)[^.]{0,80}/,
          [/nie istnieje|nieznan|nie (?:został )?znalezion|nieprawidłow/],
        ]),
        sequence([
          [/osoitetta|vastaanottaja\p{L}{0,3}|käyttäjä\p{L}{0,2}|postilaatikkoa/u],
          /[^.]{0,80}(?:ei löy[dt]|ei ole olemassa|tuntematon)/,
        ]),
        sequence([
          /(?:adres[auy]?|příjemc[ei]|uživatel|schránka|príjemca)[^.]{0,80}/,
          [/neexistuje|nebyl[aoy]? nalezen|neznám|nenalezen|nenašl|nepodařilo (?:se )?najít/],
        ]),
        /(?:cím|címzett|felhasználó|postafiók)\p{L}{0,5}[^.]{0,80}(?:nem található|nem létezik|ismeretlen)/u,
        sequence([
          /(?:adres|alıcı|kullanıcı|posta kutusu)\p{L}{0,6}[^.]{0,80}/u,
          /(?:bulunamadı|mevcut değil|bilinmiyor|geçersiz)/,
        ]),
        sequence([
          [/adres[aăe]|destinatar\p{L}{0,4}|utilizator\p{L}{0,4}|cutia/u],
          /[^.]{0,80}(?:nu (?:a (?:fost|putut fi) găsit|există|este valid)|necunoscut|inexistent)/,
        ]),
        sequence([
          [
            /adres[aeu]|primatel?j?\p{L}{0,2}|korisnik|naslov\p{L}{0,2}|prejemnik\p{L}{0,2}|uporabnik/u,
            /sandučić|nabiralnik/,
          ],
          /[^.]{0,80}/,
          [
            /nije (?:pronađen|moguće pronaći|nađen)|ne postoji|nepoznat/,
            /ni (?:bilo )?(?:mogoče najti|najden)|ne obstaja|neznan/,
          ],
        ]),
        /(?:adresas|gavėj|vartotoj|pašto dėžut)\p{L}{0,4}[^.]{0,80}(?:nerast|neegzistuoja|nežinom)/u,
        /(?:adrese|saņēmēj|lietotāj|pastkast)\p{L}{0,4}[^.]{0,80}(?:nav atrast|neeksistē|nezinām)/u,
        /(?:aadress|saaja|kasutaja|postkast)\p{L}{0,4}[^.]{0,80}(?:ei (?:leitud|leita|eksisteeri)|tundmatu)/u,
        sequence([
          /(?:l'adreça|destinatari|usuari|bústia)[^.]{0,80}/,
          /(?:no s'ha (?:pogut )?trobat?|no existeix|desconegu)/,
        ]),
        /δεν (?:βρέθηκε|υπάρχει|ήταν δυνατή η εύρεση)/,
        sequence([
          /(?:כתובת|נמען|תיבת|משתמש|חשבון)[^.]{0,80}/,
          [/לא (?:נמצא|קיים|קיימת|ידוע)|אינ(?:ו|ה|ם) (?:קיי|נמצא|תקין|מוכר|ידוע)/],
        ]),
        /לא ניתן (?:היה )?לאתר/,
        /(?:عنوان|المستلم|المستخدم|صندوق|علبة|الحساب)[^.]{0,80}(?:غير (?:موجود|معروف|صالح|صحيح)|لا يوجد)/,
        /لم يتم العثور على|تعذر العثور على/,
        /(?:ที่อยู่|ผู้รับ|ผู้ใช้|กล่อง|บัญชี)[^.]{0,60}(?:ไม่(?:พบ|มี|ถูกต้อง|รู้จัก))/,
        /ไม่พบ(?:ที่อยู่|ผู้รับ|ผู้ใช้|อีเมล)|không (?:tìm thấy|tồn tại|hợp lệ)/,
        /(?:alamat|penerima|pengguna|kotak)[^.]{0,80}tidak (?:ditemukan|ditemui|ada|wujud|dikenal|valid)/,
      ],
      'u',
    ),
  ],
  [
    'userunknown',
    anyOf(
      [
        sequence([
          /(?:адрес|получател|пользовател|ящик|одержувач|користувач)\p{L}{0,5}[^.]{0,80}/u,
          [/не (?:найден|существует|обнаружен|знайден|існує)|неизвест|недействител|невідом/],
        ]),
        sequence([
          /(?:адрес|получател|потребител|кутия)\p{L}{0,4}[^.]{0,80}/u,
          [/не (?:беше|бе|можа да бъде|може да бъде|е) намерен|не съществува|непознат/],
        ]),
        /не (?:удалось|вдалося) (?:найти|знайти)|нет такого (?:пользователя|ящика|адреса)/,
        /(?:アドレス|宛先|受信者|ユーザー?|メールボックス)[^。]{0,30}(?:見つかり|存在しません|存在しない|不明|有効ではありません|無効)/,
        /(?:找不到|不存在|查无|查無)[^。]{0,20}(?:地址|用户|用戶|收件人|邮箱|郵箱)/,
        /(?:地址|用户|用戶|使用者|收件人|邮箱|郵箱|帐号|帳號|账号)[^。]{0,50}(?:不存在|找不到|无效|無效|未找到)/,
        /(?:주소|받는 사람|수신자|사용자|메일함|계정)[^.]{0,30}(?:찾을 수 없|존재하지 않|없는|없습니다|알 수 없)/,
      ],
      'u',
    ),
  ],
  [
    'userunknown',
    anyOf(
      [
        /onbekende (?:gebruiker|ontvanger|geadresseerde)|неизвестн\p{L}{2,3} (?:пользовател|получател|адрес)/u,
        /nieznan[ya] (?:użytkownik|odbiorca|adresat)|neznámý (?:uživatel|příjemce)|okänd (?:användare|mottagare)/,
        /ukendt (?:bruger|modtager)|ukjent (?:bruker|mottaker)|tuntematon (?:käyttäjä|vastaanottaja)/,
        /ismeretlen (?:felhasználó|címzett)|bilinmeyen (?:kullanıcı|alıcı)|невідом\p{L}{2,3} (?:користувач|одержувач)/u,
        /kein(?:en?|em)? (?:solche[nrs]? )?(?:benutzer|empfänger|postfach|konto|teilnehmer)/,
        /(?:pas d'|aucune? |nul )(?:utilisateur|destinataire|compte|bo[iî]te|adresse)/,
        /no (?:hay|tenemos) (?:ning[uú]n[ao]? )?(?:usuario|buz[oó]n|destinatario|cuenta)/,
        /nessun[ao]? (?:utente|destinatario|account|casella)|não há (?:nenhum[a]? )?(?:usuário|utilizador|caixa|conta)/,
        /geen (?:gebruiker|postvak|ontvanger|account)|(?:brak|nie ma) (?:takiego )?(?:użytkownika|skrzynki|adresata|odbiorcy|konta)/,
        /žádný (?:takový )?(?:uživatel|příjemce)|böyle bir (?:kullanıcı|adres|alıcı|hesap)[^.]{0,20}(?:yok|bulun)/,
        /ing(?:en|et) (?:sådan |slik )?(?:användare|mottagare|konto|bruger|modtager|bruker|mottaker)/,
        /ei (?:sellaista |tällaista )?(?:käyttäjää|vastaanottajaa|postilaatikkoa)|nincs ilyen (?:felhasználó|postafiók|címzett|cím)/,
        /nu există (?:acest |un )?(?:utilizator|destinatar|cont)|(?:не|ні)має такого (?:\p{L}{1,14} )?(?:користувача|ящика|адреси)/u,
        /нет такого (?:\p{L}{1,14} )?(?:пользователя|ящика|адреса|абонента|получателя)/u,
        /(?:没有|沒有)(?:这个|這個|该|該|此)(?:用户|用戶|邮箱|郵箱|地址|帐号|帳號)|查无此(?:人|用户|邮箱)/,
        /(?:没|沒)有(?:找到)?(?:收件人|用户|用戶)|없는 (?:사용자|주소|계정|메일)|該当(?:する)?(?:ユーザー?|アドレス)[^。]{0,20}(?:ありません|いません|なし)/,
      ],
      'u',
    ),
  ],
]

import { anyOf, sequence } from '@overture/ground/text/patterns.ts'

/** The same requests in Slavic languages, Turkish, Hungarian, Greek and languages of Asia. */
export const otherRequests: readonly RegExp[] = [
  /proszę (?:mnie )?(?:wypisać|usunąć)|proszę o wypisanie/iu,
  sequence(
    [
      /\b/,
      [
        /proszę (?:o )?(?:usun|wypis|nie (?:pisać|wysyłać|kontaktować)|usunięcie|wypisanie|zaprzesta)/,
        /wypisz(?:cie)? mnie|usuńcie/,
        /nie (?:życzę|chcę|życzymy)[^.!?]{0,30}(?:otrzymywa|dostawa|korespondencji|wiadomości|mail)/,
        /odhlas(?:te|it) m[ěn]|nepište mi|nezasílejte|nechci (?:dostávat|dále)|vyřaďte/,
      ],
    ],
    'iu',
  ),
  anyOf(
    [
      /отпишите|удалите (?:меня|мой|нас)|исключите (?:меня|нас|мой)/,
      /не (?:пишите|присылайте|беспокойте|отправляйте|звоните)[^.!?]{0,25}(?:больше|мне|нам|писем)/,
      /больше не (?:пишите|присылайте|отправляйте)|прекратите (?:рассылку|писать|присылать|спам)/,
      /не хочу (?:больше )?получать|уберите (?:меня|мой)|видаліть (?:мене|мою)|не надсилайте|відпишіть/,
    ],
    'iu',
  ),
  anyOf(
    [
      /配信(?:を)?(?:停止|中止|解除)|メール(?:の)?(?:配信|送信)?(?:を)?(?:停止|止めて|やめて|不要)/,
      /今後(?:の|は|一切)?[^。]{0,15}(?:不要|送らない|控えて|連絡しない)|登録(?:を)?(?:解除|削除)|リストから(?:削除|外)/,
      /请?(?:不要|别)再[^。]{0,6}(?:发|联系|寄)|(?:取消|停止)(?:订阅|訂閱|發送|发送)|(?:將|把|将)我[^。]{0,8}(?:移除|删除|刪除)|수신 ?거부/,
      /메일[^.]{0,8}(?:보내지|그만)|구독[^.]{0,4}(?:취소|해지)/,
    ],
    'u',
  ),
  anyOf(
    [
      /beni (?:listeden|listenizden) (?:çıkar|sil)|(?:e-?posta|mail) (?:göndermeyin|almak istemiyorum)/,
      /abonelikten (?:çık|ayrıl)|töröljenek|iratkozz?on le|ne (?:írjanak|küldjenek) többet/,
      /dezabona[țt]i|(?:nu|nu mai) (?:doresc|vreau)[^.!?]{0,15} (?:primesc|mesaje)|διαγράψτε/,
      /μην (?:μου )?(?:στέλνετε|ξαναστείλετε)|poistakaa|älkää (?:lähettäkö|ottako)/,
      /en halua (?:enää )?(?:vastaanottaa|saada)/,
    ],
    'iu',
  ),
  anyOf(
    [
      /(?:今後|配信|メール|営業)[^。]{0,14}(?:不要|いりません|要りません)|(?:ご連絡|配信|メール|営業|ご案内)[^。]{0,10}(?:遠慮|お断り|辞退)/,
      /прошу (?:\p{L}{1,12} ){0,2}(?:исключить|удалить|убрать|отписать)/u,
    ],
    'iu',
  ),
  anyOf(
    [
      sequence([
        /(?<!\p{L})/u,
        [
          /не надо (?:мне |нам )?(?:больше )?(?:писать|слать|присылать)/,
          /хватит (?:мне )?(?:слать|писать|спамить|присылать)/,
          /прекратите (?:рассыл|слать|писать|присылать|спам)|припиніть (?:надсил|писати|розсил|спам)/,
          /přestaňte (?:mi |nám )?(?:psát|posílat)/,
          /(?:artık|daha)? ?(?:mail|mesaj|e-?posta) (?:istemiyorum|atmayın|göndermeyin|yollamayın)/,
          /hagyják abba|ne írjon(?:ak)? (?:többet|nekem)/,
        ],
        /\p{L}*/u,
      ]),
      /(?:停止|不要)(?:再)?(?:给我|給我)?(?:发|發|寄)(?:送|信|邮件|郵件|广告|廣告|来|來)|보내지 ?(?:마|말)/,
      /(?:그만|더 ?이상)[^.]{0,12}(?:보내|연락)/,
    ],
    'iu',
  ),
  anyOf(
    [
      /(?<!\p{L})verwijder (?:mijn|onze) (?:gegevens|adres|e-?mail\p{L}*|contact)/u,
      sequence([
        /(?<!\p{L})(?:não|nao) (?:me |nos )?(?:envi|mand|escrev|contat|contact)\p{L}{1,4}[^.!?]{0,12} mais/u,
        /(?!\p{L})/u,
      ]),
      sequence([
        /(?<!\p{L})nie (?:przysyła|wysyła|pisz|kontaktuj|przesyła)\p{L}{0,6}[^.!?]{0,15} (?:więcej|już)/u,
        /(?!\p{L})/u,
      ]),
      /配信(?:の|を)?(?:停止|中止|解除)/,
    ],
    'iu',
  ),
  anyOf(
    [
      sequence([
        /(?<!\p{L})/u,
        [/odstra[nň](?:te|it)?|vyma[zž](?:te|at)?|smaž(?:te)?|vyřaď(?:te)?|vyškrtn[eě]te|odhlas(?:te)?/, /odstráňte/],
        / (?:prosím |si )?(?:mě|mne|ma|nás|můj|moj|moji|môj|moju)(?!\p{L})/u,
      ]),
      sequence([
        /(?<!\p{L})/u,
        [/nepišt?e?|nepíšte|neposílejte|nezasílejte|neposielajte|nekontaktujte/],
        / (?:mi|mě|ma|nám|nás)/,
      ]),
      /(?<!\p{L})(?:už |více |dále ){0,2}(?:mi|nám) (?:už |více |dále )?(?:nepište|neposílejte|nezasílejte|nevolejte)/u,
      /proszę (?:już |więcej ){0,2}(?:(?:do )?(?:mnie|mi|nas|nam) )?(?:już |więcej )?nie (?:pisać|wysyłać|dzwonić|kontaktować)/,
      /(?:man |mums )?daugiau (?:man |mums )?(?:nerašy|nesiųs|neskambin)\p{L}{1,5}|vairs (?:man )?ne(?:raksti|sūti)\p{L}{0,3}/u,
      /nechci (?:už |dále |dostávat)[^.!?]{0,20}(?:mail|zpráv|dostáv|e-mail)|nepřeji si/,
    ],
    'iu',
  ),
  sequence(
    [
      /(?<!\p{L})/u,
      [
        /больше (?:мне |нам )?не (?:пиш|писать|присыл|беспоко|отправ|шл)/,
        /не (?:пишите|присылайте|беспокойте|шлите|отправляйте)[^.!?]{0,25} больше/,
        /уберите (?:меня|нас|мой)|більше (?:мені |нам )?не (?:пиш|надсил|турбу)/,
        /не (?:пишіть|надсилайте)[^.!?]{0,20} більше|видаліть (?:мене|нас|мою)|відпишіть|премахнете ме/,
        /отпишете ме|не ми пишете|не желая да получавам/,
      ],
      /\p{L}*/u,
    ],
    'iu',
  ),
  anyOf(
    [
      /(?:お送り|送って|送付|送信|配信|メール|連絡)[^。]{0,14}(?:いただかない|くださらない|送らない|しないで|やめ|止め|ご遠慮)|別再[發发寄]|别再[发寄给打]/,
      /不要再[给給发發寄联聯]|(?:删除|刪除|移除)我的?(?:邮箱|郵箱|地址|信息|联系)/,
    ],
    'u',
  ),
  anyOf(
    [
      sequence([
        [/להסיר|הס(?:י)?ר(?:ה|י|ו)?|תסיר(?:ו|י)?|תורידו?|להוריד|למחוק|מחקו?/],
        / (?:אותי|אותנו|את (?:הכתובת|המייל|כתובת|השם))/,
      ]),
      /(?:הפסיקו?|תפסיקו?|להפסיק) (?:לשלוח|לפנות|לכתוב)|אל תשלח(?:ו|י)? (?:לי|לנו|יותר)/,
      /לא מעוניי(?:ן|נת) לקבל/,
    ],
    'u',
  ),
  anyOf(
    [
      /(?:إزالتي|حذفي|شطبي|احذفوني|احذفني|أزيلوني|إلغاء (?:اشتراكي|الاشتراك))/,
      /(?:إزالة|حذف) (?:بريدي|عنواني|اسمي|بياناتي)|(?:توقفوا?|التوقف) عن (?:إرسال|مراسلت)/,
      /لا ترسلوا? (?:لي|إلي|المزيد)|عدم (?:إرسال|مراسلتي)|لا أرغب في (?:تلقي|استلام)/,
    ],
    'u',
  ),
  anyOf(
    [
      /hủy đăng ký|ngừng gửi|đừng gửi|xin đừng (?:gửi|liên hệ)|xóa (?:tôi|email của tôi|địa chỉ)/,
      /berhenti (?:mengirim|kirim|berlangganan)|hapus (?:saya|e-?mail saya|alamat saya)/,
      /jangan (?:kirim|hubungi|mengirim)[^.!?]{0,20}(?:lagi|saya)|ยกเลิกการ(?:สมัคร|รับ)|หยุดส่ง/,
      /อย่าส่ง|กรุณาลบ|ลบ(?:ฉัน|ผม|ชื่อ|อีเมล)/,
    ],
    'iu',
  ),
  anyOf(
    [
      /(?<!\p{L})(?:uklonite|obrišite|izbrišite|maknite|odjavite|skinite) (?:me|nas|moj|moju)(?!\p{L})/u,
      /nemojte (?:mi |nam )?(?:više )?(?:slati|pisati|kontaktirati)/,
      /ne želim (?:više )?(?:primati|dobivati|prejemati)|ne pišite mi/,
      /(?:nu|nu-mi) (?:îmi )?mai (?:trimite|scrie|contacta)\p{L}{0,4}|ștergeți-mă|scoateți-mă/u,
      /vegyenek? (?:ki|le)|töröljék|ne küldjön|nem kérek több/,
      /(?:beni|adresimi|mailimi) (?:listeden|listenizden|veritabanınızdan)[^.!?]{0,10}(?:çıkar|sil)/,
      /bir daha (?:yazmayın|mail atmayın|göndermeyin|rahatsız)|(?:eemaldage|kustutage) (?:mind|minu)/,
      /(?:lūdzu )?(?:izdzēsiet|noņemiet) mani|(?:pašalinkite|išbraukite|ištrinkite) mane|nebesiųskite/,
      /älkää (?:enää )?(?:lähettä|otta|kirjoitta)\p{L}{0,4}/u,
      /(?:poistakaa|poista) (?:minut|meidät|osoitteeni)|μη (?:μου )?(?:στέλνετε|ξαναστ)|αφαιρέστε/,
    ],
    'iu',
  ),
]

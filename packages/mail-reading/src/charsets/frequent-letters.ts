/** The most frequent characters of Chinese, in both scripts, and of greetings in mail. */
const chinese =
  '的一是不在人有我他中上大和地到以要就出可也你生能而子那得下自之年作里用道行所家事成方多去法如都同面起看定天分好小部其些主理心她本前但因只想日者意力它把' +
  '十民第公此已工使情明性知全三又正外高由很最重物手向文政美相被利什二等或新己制身果加西月合回特代信表化老世位次度任常先海通教原立及比解水名真走各入口平活更' +
  '打女四神何安少才反受目太量再感建做接必期市直命山金指至形社便空治展科司五基眼非白界光放即像且思王完式色路南品住告求程北死交取望今切院候您周星休假附天後午' +
  '六七八九零元先請求司早晚午'
const simplified =
  '了这个们来为国说时会对过发后种经么学现当没动还进样开从实无与长机关点业将两间问并应战头体见产话儿东声条论处义几认题变总电数报结务场计资统区队书则听却达强难权设类据边张规万' +
  '觉术领确传师观识带导争运请谢邮复联系订购价给让谈给员单费额级线络视频询'
const traditional =
  '了這個們來為國說時會對過發後種經麼學現當沒動還進樣開從實無與長機關點業將兩間問並應戰頭體見產話兒東聲條論處義幾認題變總電數報結務場計資統區隊書則聽卻達強難權設類據邊張規萬' +
  '覺術領確傳師觀識帶導爭運請謝郵覆聯繫訂購價給讓談員單費額級線絡視頻詢週寄於'
const punctuation = '，。、！？：；（）「」『』《》“”…　'
/** Kanji of business mail. Kana decide, because no other language has them. */
const kanji = '日本人大年月時分出会社行見中生上今方気先様願致件返信御連絡電話送受取料金確認担当株式明後来週火水木曜'
/** The most frequent syllables of Korean. */
const korean =
  '이다는에의을가하고한기도지로사대서인를시나자정스어은리해그일아들보장주부수원전제여상구만과으있니습요세안녕감합입메답연락더않네음게라면무화소성조동공비경신회치당방내년국미위' +
  '할될수것등와관련및께드릴립겠습까될된저희귀통오후월때문좋없모든바간업계약되라며부터까락처메중건'

const letterSets = {
  simplified: new Set(chinese + simplified + punctuation),
  traditional: new Set(chinese + traditional + punctuation),
  japanese: new Set(kanji + punctuation),
  korean: new Set(korean),
}

export type Script = keyof typeof letterSets

/** Whether the letter is one of those that make up about half of every text in this script. */
export function isFrequentIn(script: Script, letter: string): boolean {
  if (script === 'japanese' && letter >= '\u3041' && letter <= '\u30fc') return true
  return letterSets[script].has(letter)
}

export function isFrequentLetter(letter: string): boolean {
  return Object.values(letterSets).some((letters) => letters.has(letter))
}

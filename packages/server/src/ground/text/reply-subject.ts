/** What mail programs of other languages write for "answer to". */
const prefixes = ['re', 'aw', 'sv', 'vs', 'antw', 'odp', 'rif', 'res', 'ref', '回复', '回覆', '答复']
const prefix = new RegExp(String.raw`^(?:${prefixes.join('|')})\s?(?:\[\d{1,4}\])?\s?[:：]`, 'iu')
const prefixesMax = 20
const lengthMax = 900

/** `Re: ` once, however often a thread was answered and in whatever language. */
export function replySubject(subject: string): string {
  let bare = subject.trim()
  for (let count = 0; count < prefixesMax && prefix.test(bare); count++) bare = bare.replace(prefix, '').trim()
  return `Re: ${bare}`.slice(0, lengthMax)
}

/** Reply prefixes that mail programs write in several languages. */
const prefixes = ['re', 'aw', 'sv', 'vs', 'antw', 'odp', 'rif', 'res', 'ref', '回复', '回覆', '答复']
const prefix = new RegExp(String.raw`^(?:${prefixes.join('|')})\s?(?:\[\d{1,4}\])?\s?[:：]`, 'iu')
const prefixesMax = 20
const lengthMax = 900

/** The subject with a single `Re: `, no matter how many reply prefixes it had. */
export function replySubject(subject: string): string {
  let bare = subject.trim()
  for (let count = 0; count < prefixesMax && prefix.test(bare); count++) bare = bare.replace(prefix, '').trim()
  return `Re: ${bare}`.slice(0, lengthMax)
}

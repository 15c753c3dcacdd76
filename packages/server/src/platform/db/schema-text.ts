const keywords = [
  'and any array as before between by case cascade check coalesce collate create default delete desc distinct each else end',
  'execute first for foreign from function generated if in include index insert is key language last not null nulls on only or',
  'partition primary range references replace returns set stable statement table then trigger truncate unique update using when',
  'where with',
].flatMap((line) => line.split(' '))
const keyword = new RegExp(`\\b(?:${keywords.join('|').toUpperCase()})\\b`, 'g')
/** A list of words, as the server writes it: `= ANY (ARRAY['a'::text, 'b'::text])`. */
const list = /(?:= ANY|(<> ALL)) \(ARRAY\[([^\]]*)\]\)/g
/** Text in two pairs of parentheses. */
const doubled = /\(\((.*)\)\)$/

/** Converts a definition from the server's wording to the usual style of schemas: lower case, no types of constants. */
export function readable(definition: string): string {
  const worded = definition
    .replaceAll('public.', '')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(' USING btree', '')
    .replaceAll(' ON ONLY ', ' ON ')
    .replaceAll('"position"', 'position')
    .replace(/'::(?:text|jsonb|regconfig|xid8|regclass)(?:\[\])?/g, "'")
    .replace(list, (_match, none: string | undefined, words: string) => `${none ? 'not in' : 'in'} (${words})`)
    .replace(doubled, (match, inner: string) => (isBalanced(inner) ? `(${inner})` : match))
  // Text in quotes is data, so it is not changed.
  const parts = worded.split(/('[^']*')/)
  return parts.map((part) => (part.startsWith("'") ? part : part.replace(keyword, lower))).join('')
}

const lower = (word: string) => word.toLowerCase()

function isBalanced(text: string): boolean {
  let depth = 0
  for (const sign of text) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}

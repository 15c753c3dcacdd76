/** Atoms and quoted strings of a command's arguments, unquoted. */
export function tokensOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^\s()]+/g)].map((match) =>
    match[1] === undefined ? match[0] : match[1].replace(/\\(.)/g, '$1'),
  )
}

/** The items of a FETCH, also those with brackets inside: `(UID BODY.PEEK[HEADER.FIELDS (FROM)])`. */
export function parseList(text: string): string[] {
  return [
    ...text
      .trim()
      .replace(/^\((.*)\)$/, '$1')
      .matchAll(/[\w.]+(?:\[[^\]]*\])?(?:<[\d.]+>)?/g),
  ].map((match) => match[0])
}

/** Whether a sequence set such as `1,4:7,9:*` names a number; `*` is the last one. */
export function sequenceHas(set: string, number: number, last: number): boolean {
  return set.split(',').some((part) => {
    const [from = 0, to = from] = part.split(':').map((edge) => (edge === '*' ? last : Number(edge)))
    return number >= Math.min(from, to) && number <= Math.max(from, to)
  })
}

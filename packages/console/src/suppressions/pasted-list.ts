/** The separators that people put between addresses. A name before an address may contain spaces. */
const separators = /[\n\r,;\t]+/
const inBrackets = /<([^<>]*)>/

/**
 * Turns pasted addresses and domains into a CSV file for an import. `Ada <ada@example.com>` counts as its address. Text that is neither
 * an address nor a domain stays in the file, so that the import reports it.
 */
export function pastedListCsv(pasted: string): string {
  const lines = listPasted(pasted).map((entry) => (isDomain(entry) ? `,${quoted(entry)}` : `${quoted(entry)},`))
  return ['email,domain', ...lines, ''].join('\n')
}

export function listPasted(pasted: string): string[] {
  return pasted.split(separators).flatMap((piece) => {
    const address = inBrackets.exec(piece)?.[1] ?? piece
    const entry = address.trim().replace(/^mailto:/i, '')
    return entry === '' ? [] : [entry]
  })
}

function isDomain(entry: string): boolean {
  return entry.lastIndexOf('@') <= 0 && entry.includes('.') && !/\s/.test(entry)
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

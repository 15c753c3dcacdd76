/** Stores what the API answered as a file; made here, since a request for it carries what says who asks. */
export function saveFile(name: string, content: string, type: 'application/json' | 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}

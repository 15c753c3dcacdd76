/**
 * Stores what the API answered as a file; made here, since a request for it carries what says who asks. It goes to the
 * folder of downloads and never into a window of the console's own, whatever is in it.
 */
export function saveFile(name: string, content: BlobPart, type: 'application/json' | 'text/csv' | typeof bytes): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}

const bytes = 'application/octet-stream'

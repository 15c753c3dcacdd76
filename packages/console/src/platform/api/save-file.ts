/**
 * Stores an answer of the API as a file. The page has to create the file, since the request for it carries the credentials. The file goes
 * to the downloads folder and is never opened in a window of the console, whatever its content is.
 */
export function saveFile(name: string, content: BlobPart, type: 'application/json' | 'text/csv' | typeof bytes): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}

const bytes = 'application/octet-stream'

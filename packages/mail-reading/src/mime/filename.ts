import { foreignText } from '@overture/ground/text/foreign-text.ts'

/** The longest name in UTF-8 that every file system accepts. */
const bytesMax = 200
/** A longer extension counts as part of the name. */
const endingMax = 16

/** Names of Windows devices, whatever their extension is. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * The last path segment of a file name from a stranger, safe to show and to save: no path, no control characters, nothing that
 * reverses the direction of the text (`exe.pdf` for `fdp.exe`). Empty if nothing is left.
 */
export function cleanFilename(given: string): string {
  const [last = ''] = given.split(/[/\\]/).slice(-1)
  const plain = foreignText(last)
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/[<>:"|?*]/g, '_')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '')
  return shortened(devices.test(plain) ? `_${plain}` : plain)
}

// The extension is kept, because it decides which program opens the file.
function shortened(name: string): string {
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= endingMax ? name.slice(dot) : ''
  const stem = name.slice(0, name.length - ending.length)
  const room = bytesMax - Buffer.byteLength(ending)
  if (Buffer.byteLength(stem) <= room) return name
  let kept = ''
  let bytes = 0
  for (const character of stem) {
    bytes += Buffer.byteLength(character)
    if (bytes > room) break
    kept += character
  }
  return kept.replace(/[. ]+$/, '') + ending
}

/** The `Content-Disposition` of a download (RFC 6266): the name in ASCII for old clients, and the full name (RFC 5987). */
export function contentDisposition(filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ -~]|["\\%]/g, '_')
  if (ascii === filename) return `attachment; filename="${ascii}"`
  const extended = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended}`
}

import { foreignText } from '../../ground/text/foreign-text.ts'

/** What every file system takes, in UTF-8. */
const bytesMax = 200
/** A longer ending is a part of the name. */
const endingMax = 16

/** What Windows means by a device, whatever ending it has. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * The last part of what a stranger calls a file, fit to be shown and to be saved under: no path, no controls, nothing that
 * turns the direction of the text round (`exe.pdf` for `fdp.exe`). Empty where nothing is left.
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

// The ending says what it is opened with: it stays.
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

/** `Content-Disposition` of a download (RFC 6266): the name in ASCII for old clients, and as it is (RFC 5987). */
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

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attachmentsMax, listAttachments, readAttachment } from './attachments.ts'
import { cleanFilename, contentDisposition } from './filename.ts'
import { parseMime, type MimePart } from './mime.ts'

function rootOf(text: string | Uint8Array): MimePart {
  const parsed = parseMime(typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
  if (parsed.outcome === 'set_aside') throw new Error(parsed.reason)
  return parsed.root
}

const namesOf = (...headers: string[]) =>
  listAttachments(rootOf(`From: a@b.test\n${headers.join('\n')}\n\nx`)).map(({ filename }) => filename)

describe("an attachment's file name", () => {
  const utf8 = Buffer.from('Angebot für Ü.pdf').toString('latin1')
  test.each([
    ['as it is', 'attachment; filename="offer.pdf"', 'offer.pdf'],
    ['without quotes', 'attachment; filename=offer.pdf', 'offer.pdf'],
    ['with an escaped quote', String.raw`attachment; filename="a \"b\".pdf"`, 'a _b_.pdf'],
    ['in RFC 2231', `attachment; filename*=UTF-8''Angebot%20f%C3%BCr%20%C3%9C.pdf`, 'Angebot für Ü.pdf'],
    [
      'in pieces',
      `attachment; filename*0*=UTF-8''Angebot%20; filename*1*=f%C3%BCr%20; filename*2="uns.pdf"`,
      'Angebot für uns.pdf',
    ],
    ['in pieces of plain text', 'attachment; filename*0="long "; filename*1="name.pdf"', 'long name.pdf'],
    ['in an encoded word', 'attachment; filename="=?utf-8?B?w4QucGRm?="', 'Ä.pdf'],
    ['in two of them', 'attachment; filename="=?utf-8?Q?=C3=84?= =?utf-8?Q?=C3=96.pdf?="', 'ÄÖ.pdf'],
    ['in unencoded bytes', `attachment; filename="${utf8}"`, 'Angebot für Ü.pdf'],
    ['in bytes of Windows', 'attachment; filename="f\u00fcr.pdf"', 'für.pdf'],
    ['in Japanese', `attachment; filename*=UTF-8''%E8%A6%8B%E7%A9%8D%E6%9B%B8.pdf`, '見積書.pdf'],
    ['with a path', 'attachment; filename="../../etc/passwd"', 'passwd'],
    ['with a path of Windows', String.raw`attachment; filename="C:\\Users\\a\\offer.pdf"`, 'offer.pdf'],
    ['that turns the text round', `attachment; filename*=UTF-8''fdp%E2%80%AEexe.pdf`, 'fdpexe.pdf'],
    ['with a null character', `attachment; filename*=UTF-8''a%00.pdf`, 'a.pdf'],
    ['that is a device', 'attachment; filename="CON.pdf"', '_CON.pdf'],
    ['that is hidden', 'attachment; filename="..hidden"', 'hidden'],
    ['that is nothing but dots', 'attachment; filename="..."', 'attachment-1.pdf'],
    ['that is missing', 'attachment', 'attachment-1.pdf'],
  ])('%s', (_, disposition, expected) => {
    const [name] = namesOf('Content-Type: application/pdf', `Content-Disposition: ${disposition}`)
    expect(name).toBe(expected)
  })

  test('is taken from Content-Type if the disposition has none', () => {
    expect(namesOf('Content-Type: application/pdf; name="offer.pdf"')).toEqual(['offer.pdf'])
  })

  test('of a forwarded message is its subject', () => {
    const enclosed = 'Content-Type: message/rfc822\n\nSubject: Re: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= 1/2\n\nHi'
    expect(listAttachments(rootOf(enclosed)).map(({ filename }) => filename)).toEqual(['Re_ Grüße 1-2.eml'])
  })

  test('can always be saved and sent in a header', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        'a',
        '/',
        '\\',
        '\0',
        '\n',
        '\r',
        '"',
        '%',
        "'",
        ';',
        '.',
        ' ',
        '\u202e',
        'ü',
        '日',
        '🎉',
        '\ud800',
      ),
      maxLength: 400,
    })
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 400 })), (given) => {
        const name = cleanFilename(given)
        expect(cleanFilename(name)).toBe(name)
        expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}\p{Cf}\u2028\u2029]|^[. ]|[. ]$/u)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(201)
        const header = contentDisposition(name)
        expect(header).toMatch(/^attachment; filename="[ -!#-[\]-~]*"(?:; filename\*=UTF-8''[\w!#$&+.^`|~%-]*)?$/)
        const extended = /\*=UTF-8''(.*)$/.exec(header)?.[1]
        expect(extended === undefined ? /"(.*)"/.exec(header)?.[1] : decodeURIComponent(extended)).toBe(name)
      }),
      { numRuns: 500 },
    )
  })

  test('that is too long keeps its extension', () => {
    expect(cleanFilename(`${'ü'.repeat(300)}.pdf`)).toMatch(/^ü+\.pdf$/)
    expect(Buffer.byteLength(cleanFilename(`${'日'.repeat(300)}.pdf`))).toBeLessThanOrEqual(200)
  })
})

interface Planted {
  bytes: Uint8Array
  encoding: 'base64' | 'quoted-printable'
  lineLength: number
  junk: string
}
type Tree = { file: Planted } | { text: string } | { parts: Tree[]; subtype: string; closed: boolean }

const planted = fc.record({
  bytes: fc.uint8Array({ maxLength: 300 }),
  encoding: fc.constantFrom('base64' as const, 'quoted-printable' as const),
  lineLength: fc.integer({ min: 1, max: 80 }),
  // Characters that mail servers and mailing lists insert into base64.
  junk: fc.constantFrom('', ' ', '\t', '\r', '!', '\u0000', '='),
})
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    planted.map((file): Tree => ({ file })),
    fc.constantFrom('Hello', 'a\nb', '').map((text): Tree => ({ text })),
    fc
      .record({
        parts: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
        subtype: fc.constantFrom('mixed', 'alternative', 'related', 'signed', 'unheard-of'),
        closed: fc.boolean(),
      })
      .map((branch): Tree => branch),
  ),
}))

let boundaries = 0
function written(node: Tree, end: string): string {
  if ('text' in node) return `Content-Type: text/plain${end}${end}${node.text.replaceAll('\n', end)}`
  if ('file' in node) return fileText(node.file, end)
  const boundary = `--b${++boundaries}.`
  const parts = node.parts.map((part) => `--${boundary}${end}${written(part, end)}${end}`).join('')
  const closing = node.closed ? `--${boundary}--${end}` : ''
  return `Content-Type: multipart/${node.subtype}; boundary="${boundary}"${end}${end}${parts}${closing}`
}

function fileText({ bytes, encoding, lineLength, junk }: Planted, end: string): string {
  const plain = Buffer.from(bytes)
  const head = `Content-Type: application/x-thing; name=thing.bin${end}Content-Transfer-Encoding: ${encoding}${end}${end}`
  if (encoding === 'quoted-printable')
    return `${head}${Array.from(plain, (byte) => `=${byte.toString(16).padStart(2, '0')}`).join(`=${end}`)}`
  const lines = plain.toString('base64').match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? []
  return `${head}${lines.join(`${junk}${end}`)}`
}

function filesIn(node: Tree): Planted[] {
  if ('text' in node) return []
  return 'file' in node ? [node.file] : node.parts.flatMap(filesIn)
}

function isClosed(node: Tree): boolean {
  return !('parts' in node) || (node.closed && node.parts.every(isClosed))
}

// The line end before a missing boundary may belong to the file.
const withoutEnd = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1').replace(/\n+$/, '')

describe('attachments', () => {
  test('are listed in order and read completely, however deep they are nested', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('\n', '\r\n'), (node, end) => {
        const root = rootOf(`From: a@b.test${end}${written(node, end)}`)
        const files = filesIn(node)
        const found = listAttachments(root)
        expect(found.map(({ filename }) => filename)).toEqual(files.map(() => 'thing.bin'))
        for (const [at, { bytes }] of files.entries()) {
          const read = readAttachment(root, at + 1)!
          if (isClosed(node)) expect(Buffer.from(read)).toEqual(Buffer.from(bytes))
          else expect(withoutEnd(read)).toBe(withoutEnd(bytes))
          expect(found[at]!.size).toBe(read.byteLength)
        }
        expect(readAttachment(root, files.length + 1)).toBeNull()
      }),
      { numRuns: 300 },
    )
  })

  test('any bytes at all never throw, and each listed attachment can be read', () => {
    const soup = fc
      .array(
        fc.constantFrom(
          '--b',
          '--b--',
          '\n',
          '\r\n',
          'Content-Type: multipart/mixed; boundary=b\n',
          'filename="',
          '=?',
          '=',
          '\0',
        ),
        { maxLength: 60 },
      )
      .map(
        (pieces) =>
          `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Disposition: attachment; ${pieces.join('')}`,
      )
    fc.assert(
      fc.property(soup, (text) => {
        const parsed = parseMime(Buffer.from(text, 'latin1'))
        if (parsed.outcome === 'set_aside') return
        for (const [at, one] of listAttachments(parsed.root).entries())
          expect(readAttachment(parsed.root, at + 1)?.byteLength).toBe(one.size)
      }),
      { numRuns: 500 },
    )
  })

  test('more than a hundred are not listed', () => {
    const file = '--b\nContent-Type: application/pdf\n\nx\n'
    const root = rootOf(`Content-Type: multipart/mixed; boundary=b\n\n${file.repeat(400)}--b--`)
    expect(listAttachments(root)).toHaveLength(attachmentsMax)
    expect(readAttachment(root, attachmentsMax + 1)).toBeNull()
  })

  test('the attachments of an enclosed message belong to that message', () => {
    const inner = 'Content-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: application/pdf\n\nx\n--c--'
    const root = rootOf(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHi\n--b\nContent-Type: message/rfc822\n\nSubject: In\n${inner}\n--b--`,
    )
    expect(listAttachments(root)).toMatchObject([{ filename: 'In.eml', contentType: 'message/rfc822' }])
    expect(Buffer.from(readAttachment(root, 1)!).toString()).toBe(`Subject: In\n${inner}`)
  })

  test('shown texts are no attachments, and a report has none', () => {
    const text = '--b\nContent-Type: text/plain\n\nHi\n--b\nContent-Type: text/html\n\n<p>Hi</p>\n'
    expect(listAttachments(rootOf(`Content-Type: multipart/alternative; boundary=b\n\n${text}--b--`))).toEqual([])
    const notes = '--b\nContent-Type: text/plain; name=notes.txt\n\nHi\n'
    expect(listAttachments(rootOf(`Content-Type: multipart/mixed; boundary=b\n\n${text}${notes}--b--`))).toHaveLength(1)
    const returned = '--b\nContent-Type: message/rfc822\n\nSubject: x\n\nHi\n'
    expect(listAttachments(rootOf(`Content-Type: multipart/report; boundary=b\n\n${text}${returned}--b--`))).toEqual([])
  })

  test('isLast marks the last part of a message, where a cut message ends', () => {
    const file = '--b\nContent-Type: application/pdf\n\nx\n'
    const cut = rootOf(`Content-Type: multipart/mixed; boundary=b\n\n${file}${file}`)
    expect(listAttachments(cut).map(({ isLast }) => isLast)).toEqual([false, true])
    const text = rootOf(`Content-Type: multipart/mixed; boundary=b\n\n${file}--b\n\nThe text comes last.`)
    expect(listAttachments(text).map(({ isLast }) => isLast)).toEqual([false])
  })
})

import { renderMessage, renderParts, type RenderInput } from '@overture/server/templates/render.ts'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { toPlainText, type Block, type Line, type Marks, type Piece, type TextDocument } from './document.ts'
import { parseSource } from './parse-source.ts'
import { writeReply } from './reply.ts'
import { writeSource } from './write-source.ts'

const template = { liquid: true }
const input: Omit<RenderInput, 'template'> = {
  seed: 'led_1 stp_1',
  lead: {
    email: 'nora@acme.test',
    firstName: 'Nora',
    lastName: null,
    jobTitle: null,
    company: 'R&D <Acme>',
    companyDomain: null,
    linkedinUrl: null,
    mobile: null,
    country: null,
    city: null,
    timezone: null,
    customVariables: { note: 'first\nsecond' },
  },
  sender: { email: 'zed@sender.test', fromName: 'Zed', signature: null },
  unsubscribeUrl: 'https://out.test/u/t1',
  meetingUrl: 'https://meet.test/b/t1',
  textOnly: false,
  unsubscribe: 'header_only',
  postalAddress: null,
  threadSubject: null,
  openPixelUrl: null,
  trackLinks: false,
}

/** Both parts as they are sent, after a check that the preview of the template is the same. */
function sent(body: string): { text: string; html: string } {
  const result = renderMessage({ ...input, template: { subject: 'Hello', body } })
  if (result.kind !== 'rendered' || result.html === null) throw new Error(JSON.stringify(result))
  return { text: result.text, html: result.html }
}

interface Run {
  text: string
  marks: string
}

const blockNames = new Set(['p', 'ul', 'ol', 'li', 'div'])
const markNames: Record<string, string> = { b: 'b', strong: 'b', i: 'i', em: 'i' }

/** The lines that a mail program shows: their texts with formatting, links, images, and the depth and kind of lists. */
function shown(html: string): Run[][] {
  const lines: Run[][] = [[]]
  const open: string[] = []
  const say = (text: string): void => {
    const marks = [...new Set(open.filter((mark) => mark !== 'p'))].sort().join(' ')
    const line = lines.at(-1)!
    const last = line.at(-1)
    const begins = last === undefined || last.text.endsWith(' ')
    const words = begins && text.startsWith(' ') ? text.slice(1) : text
    if (words === '') return
    if (last?.marks === marks) last.text += words
    else line.push({ text: words, marks })
  }
  const end = (): void => void (lines.at(-1)!.length > 0 && lines.push([]))
  const parser = new Parser({
    onopentag(name, { href, src }) {
      if (name === 'br') return void lines.push([])
      if (name === 'img') return say(`[${src}]`)
      if (blockNames.has(name)) end()
      if (name === 'p' && lines.length > 1) lines.push([])
      open.push(name === 'a' ? `link ${href}` : (markNames[name] ?? name))
      if (name === 'li') say('•')
    },
    ontext: (text) => say(text.replaceAll(/[ \t\n\r\f]+/g, ' ')),
    onclosetag(name) {
      if (name === 'br' || name === 'img') return
      open.pop()
      if (blockNames.has(name)) end()
    },
  })
  parser.end(html)
  // A paragraph and a blank line look alike, and a space at the end of a line or of a formatted word is not seen.
  const seen = lines
    .map((line) => line.map(({ text, marks }) => ({ text: text.trim(), marks })).filter(({ text }) => text !== ''))
    .filter((line, index, all) => line.length > 0 || (index > 0 && all[index - 1]!.length > 0))
  return seen.at(-1)?.length === 0 ? seen.slice(0, -1) : seen
}

/** The text without spaces that are not seen. */
const visible = (text: string): string =>
  text
    .replaceAll(/[ \t\u00a0]+$/gm, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\n{3,}/g, '\n\n')

const liquid = fc.constantFrom(
  '{{ firstName }}',
  '{{firstName}}',
  '{{ city | default: "there" }}',
  "{{ city | default: 'you & me' }}",
  '{{ "Hi|Hello" | spin }}',
  '{{ company }}',
  '{% if city %}there{% else %}here{% endif %}',
  '{% raw %}{{ x }}{% endraw %}',
)
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Hello', 'we', 'R&D', 'über', '5', 'a<', '&amp;', '>', '名前', '«x»') },
  { weight: 2, arbitrary: liquid },
  { weight: 1, arbitrary: fc.constant('https://b.test/c?d=1&e=2') },
)
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '))
const address = fc.constantFrom(
  'https://a.test/x',
  'https://a.test/?q=1&amp;r=2',
  '{{ meetingUrl }}',
  'https://a.test/{{ city | default: "x" }}',
  'mailto:ada@a.test',
)
const inlineWords = words.map((text) => text.replaceAll('a<', 'a &lt;'))
const inline: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: inlineWords },
  fc
    .tuple(fc.constantFrom('b', 'strong', 'i', 'em', 'B'), inlineWords)
    .map(([tag, text]) => `<${tag}>${text}</${tag}>`),
  fc.tuple(address, inlineWords).map(([href, text]) => `<a href="${href}">${text.replaceAll('https:', '')}</a>`),
  fc.constantFrom(
    '<b><i>both</i></b>',
    '<a href="https://l.test"><b>big</b> link</a>',
    "<A HREF='https://q.test'>q</A>",
  ),
  fc.constantFrom('<img src="https://a.test/i.png" alt="An &quot;image&quot;">', '&nbsp;', '&copy;', '&#8364;'),
)
const inlineLine = fc.array(inline, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '))
const lineEnd = fc.constantFrom('\n', '\n\n', '\r\n', '\n\n\n')
const joined = (line: fc.Arbitrary<string>, end: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(line, fc.array(fc.tuple(end, line), { maxLength: 5 })).map(([first, rest]) => first + rest.flat().join(''))

const plainSource = joined(words, lineEnd)
const inlineSource = joined(inlineLine, fc.constantFrom('\n', '<br>', '<br>\n', '<br />', '\n\n', ' \n '))
const inBlock = joined(inlineLine, fc.constantFrom('<br>', '<br>\n', '\n', ' '))
const { list } = fc.letrec<{ list: string }>((tie) => ({
  list: fc
    .tuple(
      fc.constantFrom('ul', 'ol'),
      fc.array(
        fc.oneof(
          { maxDepth: 2 },
          inBlock,
          fc.tuple(inBlock, tie('list')).map(([text, inner]) => `${text}\n${inner}`),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([name, items]) => `<${name}>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</${name}>`),
}))
const blockSource = fc
  .array(fc.oneof({ weight: 3, arbitrary: inBlock.map((text) => `<p>${text}</p>`) }, list), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) => all.join('\n'))

function documentOf(source: string, syntax = template): TextDocument {
  const parsed = parseSource(source, syntax)
  if (parsed.kind === 'source') throw new Error(`This is not shown: ${parsed.because}`)
  return parsed.document
}

describe('a source that the editor writes back', () => {
  test.each([
    ['plain text', plainSource],
    ['lines with tags', inlineSource],
    ['blocks', blockSource],
  ])('is the same mail: %s', (_, sources) => {
    fc.assert(
      fc.property(sources, (source) => {
        const parsed = parseSource(source, template)
        // After `<br>` it depends on the tag whether a line break of the source counts.
        if (parsed.kind === 'source') expect(parsed.because).toBe('<br>')
        fc.pre(parsed.kind === 'document')
        const written = writeSource(documentOf(source), template)
        const [before, after] = [sent(source), sent(written)]
        expect(visible(after.text)).toBe(visible(before.text))
        expect(shown(after.html)).toEqual(shown(before.html))
        expect(writeSource(documentOf(written), template)).toBe(written)
        const preview = renderParts({ subject: '', body: written }, scope, input.seed)
        expect(preview).toMatchObject({ kind: 'rendered', html: after.html })
        expect(preview.kind === 'rendered' && preview.text.trim()).toBe(after.text)
      }),
      { numRuns: 100 },
    )
  })

  test('stays the same to the letter if it is plain', () => {
    fc.assert(
      fc.property(plainSource, (source) => {
        expect(writeSource(documentOf(source), template)).toBe(source.replaceAll('\r\n', '\n'))
      }),
    )
  })
})

const scope = { ...input.lead, unsubscribeUrl: input.unsubscribeUrl, meetingUrl: input.meetingUrl }

const marks = fc.record<Marks>({
  bold: fc.boolean(),
  italic: fc.boolean(),
  href: fc.option(fc.constantFrom('https://a.test/x', 'https://a.test/?q="1"&r=<2>', 'tel:+4930')),
})
const typedText = fc.constantFrom(
  'Hello',
  ' ',
  '  ',
  '<b>',
  '</p>',
  'a < b',
  '&amp;',
  '&',
  '\u00a0',
  'we',
  '"',
  '>',
  '{{',
  '<!--',
)
const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: typedText, marks }),
  fc.record({ kind: fc.constant('liquid' as const), source: liquid, marks }),
)
const line: fc.Arbitrary<Line> = fc.record({
  kind: fc.constant('line' as const),
  pieces: fc.array(piece, { maxLength: 4 }),
})
const plainLine: fc.Arbitrary<Line> = fc
  .array(typedText, { maxLength: 4 })
  .map((texts) => ({ kind: 'line', pieces: texts.map((text) => ({ kind: 'text', text, marks: noMarks })) }))
const { block } = fc.letrec<{ block: Block }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 2 },
    line,
    fc.record({
      kind: fc.constant('list' as const),
      ordered: fc.boolean(),
      items: fc.array(
        fc.tuple(line, fc.array(tie('block'), { maxLength: 1 })).map(([first, rest]) => [first, ...rest]),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  ),
}))
const noMarks: Marks = { bold: false, italic: false, href: null }

describe('what is typed', () => {
  test('is what the recipient reads, also if it looks like HTML', () => {
    fc.assert(
      fc.property(fc.array(plainLine, { minLength: 1, maxLength: 5 }), (blocks) => {
        const document: TextDocument = { form: 'lines', blocks }
        fc.pre(!/\{\{/.test(toPlainText(document)))
        const { text } = sent(writeSource(document, template))
        expect(visible(text).trim()).toBe(visible(toPlainText(document)).trim())
      }),
    )
  })

  test('is read again as it was written', () => {
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('lines', 'blocks'),
        (blocks, form) => {
          const written = writeSource({ form: form as TextDocument['form'], blocks }, template)
          const parsed = parseSource(written, template)
          expect(parsed).toMatchObject({ kind: 'document' })
          expect(writeSource(documentOf(written), template)).toBe(written)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('is the same in a reply, which the server does not change', () => {
    const literal = { liquid: false }
    const bold = documentOf('Hi {{ firstName }},\n\n<b>see</b> https://a.test/x.', literal)
    expect(writeReply(bold)).toEqual({
      html: '<p>Hi {{ firstName }},</p>\n<p><b>see</b> <a href="https://a.test/x">https://a.test/x</a>.</p>',
    })
    expect(writeReply(documentOf('a < b\n\n{{ x }}', literal))).toEqual({ text: 'a < b\n\n{{ x }}' })
  })
})

describe('a source that the editor does not know', () => {
  test.each([
    ['<table><tr><td>x</td></tr></table>', '<table>'],
    ['<p style="color:red">x</p>', '<p style="color:red">'],
    ['<b>x</b><!-- note -->', '<!'],
    ['<b>x', '<b>'],
    ['<b><i>x</b></i>', '</b>'],
    ['text <p>x</p>', 'text'],
    ['<a href="javascript:alert(1)">x</a>', '<a href="javascript:alert(1)">'],
    ['<p>x</p>{% if city %}<p>y</p>{% endif %}', '{% if city %}'],
    ['<b>x</b> {{ "<br>|" | spin }}', '{{ "<br>|" | spin }}'],
    ['<b>&sigma;</b>', '&sigma;'],
    ['<a href="https://a.test"></a><b>x</b>', '</a>'],
    ['<b>&#123;&#123; x }}</b>', '&#123;'],
  ])('is shown as source, with the part: %s', (source, because) => {
    expect(parseSource(source, template)).toEqual({ kind: 'source', because })
  })
})

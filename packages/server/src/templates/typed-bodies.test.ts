import fc from 'fast-check'
import { convert } from 'html-to-text'
import { describe, expect, test } from 'vitest'
import { renderMessage, renderParts, type RenderInput } from './render.ts'

const input: Omit<RenderInput, 'template'> = {
  seed: 'led_1 stp_1',
  lead: {
    email: 'nora@acme.test',
    firstName: 'Nora',
    lastName: null,
    jobTitle: null,
    company: null,
    companyDomain: null,
    linkedinUrl: null,
    mobile: null,
    country: null,
    city: null,
    timezone: null,
    customVariables: { note: 'first\nsecond', page: 'https://acme.test/?a=1&b="2' },
  },
  sender: { email: 'zed@sender.test', fromName: 'Zed', signature: null },
  unsubscribeUrl: 'https://out.test/u/t1',
  meetingUrl: null,
  textOnly: false,
  unsubscribe: 'header_only',
  postalAddress: null,
  threadSubject: null,
  openPixelUrl: null,
  trackLinks: true,
}

function rendered(body: string, signature: string | null = null) {
  const result = renderMessage({
    ...input,
    template: { subject: 'Hello', body },
    sender: { ...input.sender, signature },
  })
  if (result.kind !== 'rendered' || result.html === null) throw new Error(JSON.stringify(result))
  return { ...result, html: result.html }
}

/** The lines that a mail program shows, without the addresses of links. */
const shownLines = (html: string) =>
  convert(html, { wordwrap: false, selectors: [{ selector: 'a', options: { ignoreHref: true } }] }).split('\n')

const word = fc.constantFrom('Hello', 'we', 'R&D', 'über', '5', '>', 'done.', '{{ firstName }}', '名前')
const tagged = fc.constantFrom(
  { typed: '<b>bold</b>', text: 'bold', shown: 'bold' },
  { typed: '<a href="https://a.test/x">here</a>', text: 'here [https://a.test/x]', shown: 'here' },
  { typed: "<a class=l href='https://a.test'>x</a>", text: 'x [https://a.test]', shown: 'x' },
  { typed: '<span style="color:red">red</span>', text: 'red', shown: 'red' },
  { typed: '<!-- a\nb -->note', text: 'note', shown: 'note' },
  { typed: '<em\nclass="e">so</em>', text: 'so', shown: 'so' },
  { typed: 'https://b.test/c?d=1', text: 'https://b.test/c?d=1', shown: 'https://b.test/c?d=1' },
)
const plainWord = word.map((typed) => {
  const text = typed.replace('{{ firstName }}', 'Nora')
  return { typed, text, shown: text }
})
const line = fc.array(fc.oneof({ weight: 2, arbitrary: plainWord }, tagged), { minLength: 1, maxLength: 5 })
const blank = fc.constant([] as { typed: string; text: string; shown: string }[])
const body = fc
  .tuple(line, fc.array(fc.oneof({ weight: 3, arbitrary: line }, blank), { maxLength: 6 }), line)
  .map(([first, middle, last]) => [first, ...middle, last])
  .filter((lines) => lines.flat().some(({ typed }) => typed.startsWith('<')))

describe('typed lines with inline tags', () => {
  test('are the lines of text and HTML part', () => {
    fc.assert(
      fc.property(body, fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const as = (form: 'typed' | 'text' | 'shown') => lines.map((words) => words.map((one) => one[form]).join(' '))
        const { text, html } = rendered(as('typed').join(end))
        expect(text.split('\n')).toEqual(as('text'))
        expect(shownLines(html)).toEqual(as('shown'))
        const preview = renderParts({ subject: '', body: as('typed').join(end) }, { firstName: 'Nora' }, '')
        expect(preview).toMatchObject({ text, html })
      }),
      { numRuns: 500 },
    )
  })

  test('are also the lines of a signature', () => {
    const { text, html } = rendered('Hi', 'Zed\n<i>Sales</i>\nwww.sender.test')
    expect(text).toBe('Hi\n\nZed\nSales\nwww.sender.test')
    expect(html).toContain('Zed<br>\n<i>Sales</i><br>\n<a href="https://www.sender.test">www.sender.test</a>')
  })

  test("include the lines of a variable's value", () => {
    expect(rendered('<b>Note</b>:\n{{ customVariables.note }}').text).toBe('Note:\nfirst\nsecond')
  })

  test.each([
    ['a line break after <br> adds no line', 'a<br>\nb<br />\n\nc<hr>\nd', 'a<br>\nb<br />\n<br>\nc<hr>\nd'],
    ['a tag over several lines is unchanged', 'a\n<b\nid="x\ny">b</b>', 'a<br>\n<b\nid="x\ny">b</b>'],
    ['a text with block elements is unchanged', 'a\nb\n<p>c</p>\nd', 'a\nb\n<p>c</p>\nd'],
    ['a whole document is unchanged', '<html><body>a\nb</body></html>', '<html><body>a\nb</body></html>'],
    ['a table keeps the source', 'a\n<table><tr><td>b\nc</table>', 'a\n<table><tr><td>b\nc</table>'],
    ['an unclosed comment keeps the source', '<i>a</i>\n<!-- b\nc', '<i>a</i><br>\n<!-- b\nc'],
  ])('%s', (_, typed, html) => expect(rendered(typed).html).toBe(html))
})

describe('a typed web address', () => {
  const link = (address: string, shown = address) => `<a href="${address}">${shown}</a>`
  test.each([
    ['in a paragraph', '<p>See https://a.test/x.</p>', `<p>See ${link('https://a.test/x')}.</p>`],
    ['without a scheme', '<p>www.a.test, please</p>', `<p>${link('https://www.a.test', 'www.a.test')}, please</p>`],
    ['with brackets', '<p>(https://a.test/b_(c))</p>', `<p>(${link('https://a.test/b_(c)')})</p>`],
    ['with an entity', '<p>https://a.test/?b&amp;c;</p>', `<p>${link('https://a.test/?b&amp;c')};</p>`],
    ['between escaped brackets', '<p>&lt;https://a.test&gt;</p>', `<p>&lt;${link('https://a.test')}&gt;</p>`],
    ['behind Chinese', '<p>看https://a.test/</p>', `<p>看${link('https://a.test/')}</p>`],
    ['from a variable', '<p>{{ customVariables.page }}</p>', `<p>${link('https://acme.test/?a=1&amp;b=')}&#34;2</p>`],
  ])('becomes a link: %s', (_, typed, html) => expect(rendered(typed).html).toBe(html))

  test.each([
    '<p><a href="https://a.test">https://a.test</a></p>',
    '<p><A HREF=https://a.test><b>www.a.test</b></A></p>',
    '<p><code>curl https://a.test</code></p>',
    '<pre>https://a.test</pre>',
    '<p><img alt="https://a.test" src="https://a.test/i.png"></p>',
    '<style>@import url(https://a.test/x.css);</style><p>x</p>',
    '<!-- https://a.test --><p>x</p>',
    '<p>https:// and www. and ada@www.a.test</p>',
    '<textarea>https://a.test</textarea><p>x</p>',
  ])('is unchanged in %s', (typed) => expect(rendered(typed).html).toBe(typed))

  test('is tracked like any link, except for the opt-out link', () => {
    const { links, text } = rendered('<b>x</b>\nhttps://a.test/?b=1\n{{ unsubscribeUrl }}')
    expect(links.map(({ url }) => url)).toEqual(['https://a.test/?b=1'])
    expect(text).toBe('x\nhttps://a.test/?b=1\nhttps://out.test/u/t1')
  })
})

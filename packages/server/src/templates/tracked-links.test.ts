import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { placeLinks, renderMessage, type RenderInput } from './render.ts'

const input: Omit<RenderInput, 'template'> = {
  seed: '',
  lead: {
    email: 'nora@acme.test',
    firstName: null,
    lastName: null,
    jobTitle: null,
    company: null,
    companyDomain: null,
    linkedinUrl: null,
    mobile: null,
    country: null,
    city: null,
    timezone: null,
    customVariables: {},
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

function tracked(body: string) {
  const result = renderMessage({ ...input, template: { subject: 'x', body: `{% raw %}${body}{% endraw %}` } })
  if (result.kind !== 'rendered' || result.html === null) throw new Error(JSON.stringify(result))
  const { html, links } = result
  const urls = links.map(({ url }) => url)
  return { html, links, urls, placed: placeLinks(html, links, (url) => `https://t.test/c/${urls.indexOf(url)}`) }
}

test.each([
  ['an apostrophe', '<a href="https://a.test/what\'s-on">x</a>', "https://a.test/what's-on"],
  ['a quote in apostrophes', `<a href='https://a.test/"q"'>x</a>`, 'https://a.test/"q"'],
  ['no quotes', '<a href=https://a.test/x class=b>x</a>', 'https://a.test/x'],
  ['spaces around', '<a href = "  https://a.test/x\n">x</a>', 'https://a.test/x'],
  ['a line break within', '<a\nhref="https://a.test/\nx"\n>x</a>', 'https://a.test/x'],
  ['capitals', '<A HREF="HTTPS://A.test/x">x</A>', 'HTTPS://A.test/x'],
  ['an area of a map', '<map><area shape=rect href="https://a.test/x"></map>', 'https://a.test/x'],
  ['a bracket in an attribute before', '<a title="a > b" href="https://a.test/x">x</a>', 'https://a.test/x'],
  ['a slash before', '<a/href="https://a.test/x">x</a>', 'https://a.test/x'],
  ['entities', '<a href="https&#58;//a.test/?b&amp;c&#x3d;d&copy=e">x</a>', 'https://a.test/?b&c=d&copy=e'],
  ['no scheme', '<a href="//a.test/x">x</a>', 'https://a.test/x'],
  ['a second address', '<a href="https://a.test/1" href="https://a.test/2">x</a>', 'https://a.test/1'],
  ['an image in the link', '<p><a target=_blank href="http://a.test"><img src=i></a>', 'http://a.test'],
])('a link with %s is tracked', (_, html, url) => {
  const found = tracked(html)
  expect(found.urls).toEqual([url])
  expect(found.placed).toContain('https://t.test/c/0')
})

test.each([
  '<!-- <a href="https://a.test">x</a> --><p>x</p>',
  '<!--[if mso]><a href="https://a.test">x</a><![endif]--><p>x</p>',
  '<a href="mailto:a@a.test">x</a>',
  '<a href="tel:+49301234">x</a>',
  '<a href="#part">x</a>',
  '<a href="/relative">x</a>',
  '<a href="javascript:void(\'https://a.test\')">x</a>',
  '<a href="">x</a><a href>x</a><a name="https://a.test">x</a>',
  '<a data-href="https://a.test" xhref="https://b.test">x</a>',
  '<a href="https://">x</a>',
  '<link href="https://a.test/x.css"><p>x</p>',
  '<script>document.write(\'<a href="https://a.test">x</a>\')</script><p>x</p>',
  '<textarea><a href="https://a.test">x</a></textarea><p>x</p>',
  '<p title=\'<a href="https://a.test">\'>x</p>',
  '<a href="https://out.test/u/t1">x</a>',
  '<p>cut off <a href="https://a.test',
])('%s is unchanged', (html) => {
  const found = tracked(html)
  expect([found.urls, found.placed]).toEqual([[], found.html])
})

const fragment = fc.constantFrom(
  '<a href="https://a.test/1">',
  "<a href='https://a.test/it&amp;s'>",
  '<a href=https://a.test/2>',
  '</a>',
  '<p>',
  '<area href = "https://a.test/3">',
  '<!-- <a href="https://c.test"> -->',
  '<a href="mailto:a@b.test">',
  '<',
  '>',
  '"',
  "'",
  '=',
  ' ',
  '\n',
  'text &amp; more',
  '<b title="<a href=https://d.test>">',
  '</p>',
  '<!--',
  '-->',
  '<a ',
)

test('tracked links are those that a parser finds, and everything else stays the same', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 25 }), (parts) => {
      const { html, links, urls, placed } = tracked(`<p>${parts.join('')}</p>`)
      const followed: string[] = []
      const parser = new Parser({
        onopentag: (name, { href = '' }) => {
          if ((name === 'a' || name === 'area') && /^https?:/.test(href) && URL.canParse(href)) followed.push(href)
        },
      })
      parser.end(html)
      expect(urls).toEqual(followed)
      const back = placed.replaceAll(/https:\/\/t\.test\/c\/(\d+)/g, (_, at: string) => {
        const { start, end } = links[Number(at)]!
        return html.slice(start, end)
      })
      expect(back).toBe(html)
    }),
    { numRuns: 1_000 },
  )
})

import { expect, test } from 'vitest'
import { pastedBlocks } from './paste.ts'
import { writeSource } from './source/write-source.ts'

const pasted: [string, { html: string; source: string }][] = [
  [
    'Gmail',
    {
      html:
        '<meta charset="utf-8"><div dir="ltr" class="gmail_default" style="font-family:arial">Hi Anna,<br><br>our ' +
        '<a href="https://example.com/x" target="_blank"' +
        ' data-saferedirecturl="https://www.google.com/url?q=x" style="color:blue">offer</a> is ' +
        '<b>here</b>:</div><div><ul><li style="margin-left:15px">one</li><li><i>two</i></li></ul></div><div><br></div>' +
        '<div onclick="alert(1)">Best<script>alert(1)</script></div><div><a href="javascript:alert(1)">Bob</a></div>',
      source:
        '<p>Hi Anna,</p>\n<p>our <a href="https://example.com/x">offer</a> is <b>here</b>:</p>\n' +
        '<ul>\n<li>one</li>\n<li><i>two</i></li>\n</ul>\n<p>&nbsp;<br>\nBest<br>\nBob</p>',
    },
  ],
  [
    'Word',
    {
      html:
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin-bottom:8.0pt;} --></style>' +
        '<!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]--></head><body lang=EN-US><!--StartFragment-->' +
        "<p class=MsoNormal>Dear <b style='mso-bidi-font-weight:normal'>Anna</b>,<o:p></o:p></p>" +
        '<p class=MsoNormal><span style=\'font-size:12.0pt\'>see\nour <a href="https://example.com/x">offer</a>.<o:p></o:p></span></p>' +
        "<p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]>" +
        "<span style='font-family:Symbol'>" +
        "<span style='mso-list:Ignore'>·<span style='font:7.0pt'>&nbsp;&nbsp; </span></span></span><![endif]>one</p>" +
        "<p class=MsoListParagraphCxSpLast style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]>" +
        "<span style='mso-list:Ignore'>·<span>&nbsp;&nbsp; </span></span><![endif]>two</p>" +
        '<p class=MsoNormal>Best<o:p></o:p></p><!--EndFragment--></body></html>',
      source:
        '<p>Dear <b>Anna</b>,</p>\n<p>see our <a href="https://example.com/x">offer</a>.</p>\n' +
        '<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<p>Best</p>',
    },
  ],
  [
    'Docs',
    {
      html:
        '<meta charset=\'utf-8\'><b style="font-weight:normal;" id="docs-internal-guid-1">' +
        '<p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">' +
        '<span style="font-size:11pt;font-weight:400;font-style:normal;">Hi </span><span style="font-weight:700;">Anna</span></p><br />' +
        '<p dir="ltr" style="margin-top:0pt;margin-bottom:0pt;"><span style="font-style:italic;">our </span>' +
        '<a href="https://www.google.com/url?q=https://example.com/x&amp;sa=D" ' +
        'style="text-decoration:none;"><span style="color:#1155cc;">offer</span></a></p>' +
        '<ol style="margin-top:0"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>one</span></p></li>' +
        '<ul><li dir="ltr" aria-level="2"><p dir="ltr"><span>inner</span></p></li></ul></ol></b><br class="Apple-interchange-newline">',
      source:
        '<p>Hi <b>Anna</b></p>\n<p><i>our </i><a href="https://example.com/x">offer</a></p>\n' +
        '<ol>\n<li>one\n<ul>\n<li>inner</li>\n</ul>\n</li>\n</ol>',
    },
  ],
]

test.each(pasted)('keeps links, bold, lists and lines from %s', (_, { html, source }) => {
  expect(writeSource({ form: 'lines', blocks: pastedBlocks(html) }, { liquid: true })).toBe(source)
})

test.each([
  [
    'scripts and handlers',
    '<p onclick="a()">x<script>a()</script><img src=x onerror="a()"></p><style>p{}</style>',
    'x',
  ],
  [
    'addresses that run code',
    '<a href="javascript:a()">x</a> <a href="data:text/html,y">y</a> <a href="/z">z</a>',
    'x y z',
  ],
  ['invisible text', '<span style="display:none">secret</span>x', 'x'],
  ['tracking pixels', 'x<img src="https://t.example.com/p" width="1" height="1">', 'x'],
])('leaves out %s', (_, html, source) => {
  expect(writeSource({ form: 'lines', blocks: pastedBlocks(html) }, { liquid: true })).toBe(source)
})

test('keeps mail and phone addresses, and images of the web', () => {
  const html =
    '<a href="mailto:a@b.test">m</a> <a href="tel:+49">t</a> <img src="https://i.example.com/a.png" alt="A" style="x">'
  expect(writeSource({ form: 'lines', blocks: pastedBlocks(html) }, { liquid: true })).toBe(
    '<a href="mailto:a@b.test">m</a> <a href="tel:+49">t</a> <img src="https://i.example.com/a.png" alt="A">',
  )
})

test('separates the paragraphs of a web page by a blank line', () => {
  const html = '<h2>Title</h2><p>one</p><p>two</p><p><br></p><div>three</div><div>four</div>'
  expect(writeSource({ form: 'lines', blocks: pastedBlocks(html) }, { liquid: true })).toBe(
    '<b>Title</b>\n\none\n\ntwo\n\nthree\nfour',
  )
})

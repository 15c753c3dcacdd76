import { encodeHTML } from 'entities'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeEntities } from './html-entities.ts'

test.each([
  ['&lt;b&gt; &amp;amp; &quot;&apos;', '<b> &amp; "\''],
  ['caf&eacute; &Auml;rger &#228;&#xe4; &hellip;', 'café Ärger ää …'],
  ['a&nbsp;b&#160;c', 'a b c'],
  ['no&zwnj;thing&#0; &#xd800;&#x110000; here', 'nothing  here'],
  ['older mail leaves &eacute out, and &copy2026', 'older mail leaves é out, and ©2026'],
  ['what Windows wrote: &#150; &#147;so&#148;', 'what Windows wrote: – “so”'],
  ['&nosuch; R&D AT&T &; &# &#x;', '&nosuch; R&D AT&T &; &# &#x;'],
  ['👩‍👧 as it was written &amp; read', '👩‍👧 as it was written & read'],
])('%j decodes to %j', (html, text) => expect(decodeEntities(html)).toBe(text))

test('encoded text decodes to the original, and nothing is decoded twice', () => {
  const seen = fc
    .string({ unit: 'binary', maxLength: 60 })
    .map((text) => text.replaceAll(/[\0-\x9f\u00a0]|\u200c|\u200d|\ufffd/g, ''))
  fc.assert(
    fc.property(seen, (text) => {
      expect(decodeEntities(encodeHTML(text))).toBe(text)
    }),
  )
})

import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'

const opening = /\{\{-?|\{%-?/
const closing = /-?\}\}|-?%\}/

/** Plain text with Liquid. The grammars of HTML, CSS and scripts would triple the size of the code to load. */
const language = StreamLanguage.define<{ inside: boolean }>({
  startState: () => ({ inside: false }),
  token(stream, state) {
    if (!state.inside) {
      if (stream.match(opening)) {
        state.inside = true
        return 'brace'
      }
      if (stream.match(/<\/?[a-z][^>{]*>?/i)) return 'comment'
      stream.next()
      stream.eatWhile(/[^{<]/)
      return null
    }
    if (stream.eatSpace()) return null
    if (stream.match(closing)) {
      state.inside = false
      return 'brace'
    }
    if (stream.match(/"[^"]*"?|'[^']*'?/)) return 'string'
    if (stream.match(/[A-Za-z_][\w.]*/)) return 'variableName'
    stream.next()
    return 'operator'
  },
})

const colours = HighlightStyle.define([
  { tag: tags.variableName, color: 'var(--accent)' },
  { tag: [tags.brace, tags.operator], color: 'var(--test)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--soft)' },
])

export const liquidText = new LanguageSupport(language, [syntaxHighlighting(colours)])

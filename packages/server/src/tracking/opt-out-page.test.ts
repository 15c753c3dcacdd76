import { pageLanguages } from '@overture/ground/text/page-language.ts'
import { describe, expect, test } from 'vitest'
import { optOutPage } from './opt-out-page.ts'
import { optOutWords } from './opt-out-words.ts'
import type { OptOutState } from './words/words.ts'

const states = Object.keys(optOutWords.en.states) as OptOutState[]

describe.each(pageLanguages)('the page in %s', (language) => {
  const words = optOutWords[language]

  test('fills every text and has its own words', () => {
    for (const state of states) {
      const page = optOutPage({ state, language, email: 'nora@acme.test', sender: 'Ada $& <Mills>' })
      expect(page).not.toMatch(/[{]\w+[}](?!.*[;:])/)
      expect(page).toContain(`<html lang="${language}">`)
      expect(page).not.toContain('<Mills>')
      expect(page).not.toContain('nora')
      if (language !== 'en') expect(words.states[state][0]).not.toBe(optOutWords.en.states[state][0])
    }
  })

  test('names sender and address where it asks and where it confirms', () => {
    for (const state of ['ask', 'done'] as const) {
      const page = optOutPage({ state, language, email: 'nora@acme.test', sender: 'Ada $& <Mills>' })
      expect(page).toContain('n…@acme.test')
      expect(page).toContain('Ada $&amp; &lt;Mills&gt;')
      expect(optOutPage({ state, language, email: 'nora@acme.test', sender: null })).toContain(words.fromUnknown)
    }
  })

  test('says the word that a reply needs where the page could not help', () => {
    for (const state of ['too_many', 'failed'] as const) expect(words.states[state][1]).toContain('unsubscribe')
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeHits, type PastHit } from './machine.ts'

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0',
  'Mozilla/5.0',
  'curl/8.5.0',
  '',
]

const hit = fc.record({
  message: fc.constantFrom('a', 'b'),
  url: fc.constantFrom(null, 'https://example.com/1', 'https://example.com/2', 'https://example.com/3'),
  afterMs: fc.constantFrom(0, 500, 1_000, 20_000, 59_000, 60_000, 90_000),
  userAgent: fc.constantFrom(...agents),
})

test('hits judged in one batch have the same results as one by one', () => {
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 40 }), fc.nat(40), (drawn, cut) => {
      const startMs = Date.parse('2027-02-01T09:00:00.000Z')
      let nowMs = startMs
      const hits = drawn.map(({ message, url, afterMs, userAgent }) => {
        nowMs += afterMs
        return {
          what: url === null ? ('open' as const) : ('click' as const),
          url,
          at: new Date(nowMs),
          request: { method: 'GET', userAgent, purpose: '' },
          message: { id: message, sentAt: new Date(startMs) },
        }
      })
      const log: (PastHit & { messageId: string })[] = []
      const note = (kept: ReturnType<typeof judgeHits<(typeof hits)[number]>>) => {
        for (const { hit: one, verdict } of kept)
          log.unshift({ url: one.url, machine: verdict.machine, at: one.at, messageId: one.message.id })
        return kept
      }
      const alone = hits.flatMap((one) => note(judgeHits([one], log)))
      log.length = 0
      const together = [...note(judgeHits(hits.slice(0, cut), [])), ...judgeHits(hits.slice(cut), log)]
      expect(together).toEqual(alone)
    }),
  )
})

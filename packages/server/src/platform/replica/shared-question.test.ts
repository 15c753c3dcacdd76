import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SharedQuestion } from './shared-question.ts'

test('callers get only answers to later queries, and at most two queries run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(8), { minLength: 1, maxLength: 12 }), async (s, pauses) => {
      let queryCount = 0
      let open = 0
      let openMax = 0
      const question = new SharedQuestion(async () => {
        const number = ++queryCount
        openMax = Math.max(openMax, ++open)
        await s.schedule(Promise.resolve(), 'answer')
        open--
        return number
      })
      const early: number[] = []
      const callers = pauses.map(async (pause) => {
        for (let turn = 0; turn < pause; turn++) await s.schedule(Promise.resolve(), 'pause')
        const before = queryCount
        if ((await question.next()) <= before) early.push(before)
      })
      await s.waitFor(Promise.all(callers))
      expect([early, openMax]).toEqual([[], 1])
    }),
  )
})

test('after a failed query, later callers get a new one', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve(2)]
  const question = new SharedQuestion(() => answers.shift() as Promise<number>)
  const [first, second] = [question.next(), question.next()]
  await expect(first).rejects.toThrow('away')
  expect(await second).toBe(2)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Leave, Places } from './places.client.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('limits per account and in total are kept, and no request waits while there is room', async () => {
  const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(20)), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 4 }),
      async (asked, total, perAccount) => {
        const places = new Places({ total, perAccount })
        const held: { account: string; leave: Leave }[] = []
        const waiting = new Map<string, number>()
        const count = (account: string) => held.filter((one) => one.account === account).length
        const take = async (account: string) => {
          waiting.set(account, (waiting.get(account) ?? 0) + 1)
          const leave = await places.take(account)
          waiting.set(account, (waiting.get(account) ?? 0) - 1)
          held.push({ account, leave })
        }
        const check = () => {
          expect(held.length).toBeLessThanOrEqual(total)
          for (const account of ['a', 'b', 'c', 'd']) {
            expect(count(account)).toBeLessThanOrEqual(perAccount)
            if ((waiting.get(account) ?? 0) > 0)
              expect(held.length === total || count(account) === perAccount).toBe(true)
          }
        }
        for (const step of asked) {
          if (typeof step === 'string') void take(step)
          else {
            const one = held.splice(step % (held.length || 1), 1)[0]
            one?.leave()
            one?.leave()
          }
          await settled()
          check()
        }
        while (held.length > 0) {
          held.splice(0).forEach(({ leave }) => leave())
          await settled()
          check()
        }
        expect([...waiting.values()].every((left) => left === 0)).toBe(true)
      },
    ),
  )
})

test("the next place goes to the account whose turn it is, despite another's long queue", async () => {
  const places = new Places({ total: 2, perAccount: 2 })
  const order: string[] = []
  const leaves: Leave[] = []
  const take = async (account: string) => {
    leaves.push(await places.take(account))
    order.push(account)
  }
  for (let asked = 0; asked < 50; asked++) void take('noisy')
  for (const account of ['quiet', 'other']) void take(account)
  for (let given = 0; given < 6; given++) {
    await settled()
    leaves.shift()?.()
  }
  await settled()
  expect(order).toEqual(['noisy', 'noisy', 'noisy', 'quiet', 'other', 'noisy', 'noisy', 'noisy'])
  // The others get their places too, so that none of them times out after the test.
  while (leaves.length > 0) {
    for (const leave of leaves.splice(0)) leave()
    await settled()
  }
})

test('a request within a place needs no second one, so an account never waits for itself', async () => {
  const places = new Places({ total: 1, perAccount: 1 })
  const leave = await places.take('a')
  await places.inPlace('a', async () => {
    const inner = await places.take('a')
    inner()
    await expect(Promise.race([places.take('b'), settled().then(() => 'waits')])).resolves.toBe('waits')
  })
  leave()
})

test('a full queue or a long wait is refused with 429, and takes no place later', async () => {
  const places = new Places({ total: 1, perAccount: 1, waitingPerAccountMax: 2, waitMsMax: 20 })
  const leave = await places.take('a')
  const waits = [places.take('a'), places.take('a')]
  expect(() => places.take('a')).toThrow(expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED' }))
  for (const wait of waits) await expect(wait).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  leave()
  expect(await places.take('a')).toBeTypeOf('function')
})

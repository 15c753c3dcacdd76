import { expect, test } from 'vitest'
import { Copies, type CopyTarget } from './copies.client.ts'

/** Mailboxes that store the appended copies and count how often they are opened, in total and at once. */
function mailboxes(append: (raw: string) => Promise<void> = () => Promise.resolve()) {
  const kept: Record<string, string[]> = {}
  const counts = { opened: 0, open: 0, openMax: 0 }
  const open = async (key: string): Promise<CopyTarget | null> => {
    if (key === 'none') return null
    counts.opened++
    counts.openMax = Math.max(counts.openMax, ++counts.open)
    return {
      async append(raw) {
        await append(raw.toString())
        kept[key] = [...(kept[key] ?? []), raw.toString()]
      },
      async close() {
        counts.open--
      },
    }
  }
  return { kept, counts, open }
}

test('copies of one mailbox share a connection in order, and stop waits for all of them', async () => {
  const { kept, counts, open } = mailboxes()
  const copies = new Copies(open)
  const names = Array.from({ length: 50 }, (_, at) => `mail ${at}`)
  const all = names.map((name) => copies.append('a', Buffer.from(name)))
  void copies.append('b', Buffer.from('other'))
  await Promise.all(all.slice(0, 10))
  await copies.stop()
  await Promise.all(all)
  expect(kept).toEqual({ a: names, b: ['other'] })
  expect(counts).toMatchObject({ opened: 2, open: 0 })
})

test('a later copy reuses the open connection, and a closed one is opened again', async () => {
  const { counts, open } = mailboxes()
  const copies = new Copies(open, { keptMs: 20 })
  await copies.append('a', Buffer.from('1'))
  await copies.append('a', Buffer.from('2'))
  expect(counts.opened).toBeLessThanOrEqual(2)
  await copies.stop()
  const reopened = new Copies(open, { keptMs: 0 })
  const before = counts.opened
  await reopened.append('a', Buffer.from('3'))
  await expect.poll(() => counts.open, { timeout: 60_000 }).toBe(0)
  await reopened.append('a', Buffer.from('4'))
  await reopened.stop()
  expect(counts).toMatchObject({ opened: before + 2, open: 0 })
})

test('a broken connection fails the waiting copies, and the next copy opens a new one', async () => {
  const { kept, open } = mailboxes((raw) => (raw === 'bad' ? Promise.reject(new Error('gone')) : Promise.resolve()))
  const copies = new Copies(open)
  const [bad, behind] = ['bad', 'behind'].map((raw) => copies.append('a', Buffer.from(raw)))
  await expect(bad).rejects.toThrow('gone')
  await expect(behind).rejects.toThrow('gone')
  await copies.append('a', Buffer.from('next'))
  await expect(copies.append('none', Buffer.from('x'))).rejects.toThrow('no folder')
  await copies.stop()
  expect(kept).toEqual({ a: ['next'] })
})

test('a copy whose kept connection was closed by the server is stored over a new one', async () => {
  let closed = false
  const { kept, counts, open } = mailboxes(async () => {
    if (!closed) return
    closed = false
    throw new Error('closed')
  })
  const copies = new Copies(open)
  await copies.append('a', Buffer.from('1'))
  closed = true
  await copies.append('a', Buffer.from('2'))
  await copies.stop()
  expect(kept).toEqual({ a: ['1', '2'] })
  expect(counts).toMatchObject({ opened: 2, open: 0 })
})

test('at most a hundred copies wait for one mailbox', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const { open } = mailboxes(() => held)
  const copies = new Copies(open)
  const outcomes = Promise.allSettled(Array.from({ length: 150 }, () => copies.append('a', Buffer.from('x'))))
  release()
  const settled = await outcomes
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(50)
  await copies.stop()
})

test('more mailboxes than connections all get their copies, since idle connections are closed', async () => {
  const { kept, counts, open } = mailboxes()
  const copies = new Copies(open, { mailboxesMax: 3 })
  const names = Array.from({ length: 12 }, (_, at) => `mailbox ${at}`)
  for (const name of names) await copies.append(name, Buffer.from('copy'))
  await expect.poll(() => counts.open, { timeout: 60_000 }).toBeLessThanOrEqual(3)
  await copies.stop()
  expect(kept).toEqual(Object.fromEntries(names.map((name) => [name, ['copy']])))
})

test('at most 128 MiB wait for all mailboxes together', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const { open } = mailboxes(() => held)
  const copies = new Copies(open)
  const raw = Buffer.alloc(30 * 1024 * 1024)
  const outcomes = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((key) => copies.append(key, raw)))
  release()
  const settled = await outcomes
  expect(settled.map(({ status }) => status)).toEqual([...Array<string>(4).fill('fulfilled'), 'rejected'])
  await copies.append('f', raw)
  await copies.stop()
})

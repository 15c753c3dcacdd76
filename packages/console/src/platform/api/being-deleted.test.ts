import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { deleting, isBeingDeleted, keptWhileDeleted } from './being-deleted.ts'

const key = ['test', 'webhooks', 'one', 'whk_1']

test('what is being deleted keeps its data until its page is closed', async () => {
  const client = new QueryClient()
  client.setQueryData(key, 'read before')
  const close = new QueryObserver(client, { queryKey: key, enabled: false }).subscribe(() => undefined)
  await deleting(client, 'whk_1', async () => expect(keptWhileDeleted(client, key)).toBe('read before'))
  expect(isBeingDeleted(key)).toBe(true)
  expect(isBeingDeleted(['test', 'webhooks', 'one', 'whk_2'])).toBe(false)
  close()
  expect(isBeingDeleted(key)).toBe(false)
  expect(client.getQueryData(key)).toBeUndefined()
})

test('what could not be deleted is read again', async () => {
  const client = new QueryClient()
  client.setQueryData(key, 'read before')
  await expect(deleting(client, 'whk_1', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(isBeingDeleted(key)).toBe(false)
  expect(client.getQueryState(key)?.isInvalidated).toBe(true)
})

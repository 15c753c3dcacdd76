import { expect, test } from 'vitest'
import { framePolicy, pagePolicy } from './policy.ts'

test('the policy of pages allows no inline content', () => expect(pagePolicy).not.toContain('unsafe'))

test('a message may have its own styles, and remote images only on request', () => {
  const closed = framePolicy({ scriptHash: 'x', remoteImages: false })
  expect(closed.match(/unsafe-\w+/g)).toEqual(['unsafe-inline'])
  expect(closed).toContain("style-src 'unsafe-inline'")
  expect(closed).not.toContain('https:')
  expect(closed).not.toContain('allow-same-origin')
  expect(framePolicy({ scriptHash: 'x', remoteImages: true })).toContain('img-src data: https:')
})

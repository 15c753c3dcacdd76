import { expect, test } from 'vitest'
import { framePolicy, pagePolicy } from './policy.ts'

test('the pages allow nothing that is written into markup', () => expect(pagePolicy).not.toContain('unsafe'))

test('a mail may have its own styles, and pictures of others where somebody asked for them', () => {
  const closed = framePolicy({ scriptHash: 'x', remoteImages: false })
  expect(closed.match(/unsafe-\w+/g)).toEqual(['unsafe-inline'])
  expect(closed).toContain("style-src 'unsafe-inline'")
  expect(closed).not.toContain('https:')
  expect(closed).not.toContain('allow-same-origin')
  expect(framePolicy({ scriptHash: 'x', remoteImages: true })).toContain('img-src data: https:')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicUrl } from './public-url.ts'

test('public host names over https are public, with any path', () => {
  fc.assert(
    fc.property(fc.domain(), fc.webPath(), (name, path) => {
      fc.pre(!/(?:^|\.)(?:localhost|local|internal|lan|invalid|home\.arpa)$/i.test(name))
      expect(isPublicUrl(`https://${name}${path}`)).toBe(true)
      expect(isPublicUrl(`http://${name}${path}`)).toBe(false)
      for (const end of ['localhost', 'local', 'internal', 'lan', 'home.arpa'])
        expect(isPublicUrl(`https://${name}.${end}`)).toBe(false)
    }),
  )
})

test('an IP address is never public, in any spelling', () => {
  const address = fc.oneof(
    fc.ipV4().map((one) => `https://${one}:8443/x`),
    fc.ipV6().map((one) => `https://[${one}]`),
  )
  fc.assert(
    fc.property(address, (url) => {
      expect(isPublicUrl(url)).toBe(false)
    }),
  )
})

test.each([
  'https://localhost',
  'https://overture',
  'https://0x7f000001',
  'https://2130706433',
  'https://localhost.',
  '',
])('not a public URL: %s', (url) => expect(isPublicUrl(url)).toBe(false))

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecrets, SecretError } from './secrets.shell.ts'

const first = 'a'.repeat(64)
const second = Buffer.alloc(32, 7).toString('base64')

test('encrypted text can be decrypted, and two encryptions differ', () => {
  const secrets = createSecrets([first])
  const sealed = secrets.encrypt('pässword', 'sender 1')
  expect(sealed.includes('pässword')).toBe(false)
  expect(secrets.encrypt('pässword', 'sender 1').equals(sealed)).toBe(false)
  expect(secrets.decrypt(sealed, 'sender 1')).toBe('pässword')
})

test('a changed byte, another row or an unknown key is refused', () => {
  const secrets = createSecrets([first])
  const sealed = secrets.encrypt('x', 'sender 1')
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(() => secrets.decrypt(changed, 'sender 1')).toThrow(SecretError)
  }
  expect(() => secrets.decrypt(sealed, 'sender 2')).toThrow(SecretError)
  expect(() => createSecrets([second]).decrypt(sealed, 'sender 1')).toThrow(SecretError)
})

test('after a rotation the old key still decrypts, and old values need rotation', () => {
  const old = createSecrets([first]).encrypt('x', 'row')
  const rotated = createSecrets([second, first])
  expect(rotated.decrypt(old, 'row')).toBe('x')
  expect(rotated.needsRotation(old)).toBe(true)
  expect(rotated.needsRotation(rotated.encrypt('x', 'row'))).toBe(false)
})

test('a token gives its fields for its own purpose only', () => {
  const secrets = createSecrets(['a phrase that somebody chose'])
  const token = secrets.signToken('unsubscribe', ['acc_1', 'led_1'])
  expect(token).toMatch(/^[\w.-]+$/)
  expect(secrets.verifyToken('unsubscribe', token)).toEqual(['acc_1', 'led_1'])
  expect(secrets.verifyToken('open', token)).toBeNull()
  expect(createSecrets([second, 'a phrase that somebody chose']).verifyToken('unsubscribe', token)).not.toBeNull()
  expect(createSecrets([second]).verifyToken('unsubscribe', token)).toBeNull()
})

test('a changed token is never valid', () => {
  const secrets = createSecrets([first])
  const token = secrets.signToken('open', ['a', 'b'])
  for (let index = 0; index < token.length; index++) {
    for (const letter of ['A', 'B', '-', '.', '=']) {
      const changed = token.slice(0, index) + letter + token.slice(index + 1)
      if (changed !== token) expect(secrets.verifyToken('open', changed)).toBeNull()
    }
  }
  for (const text of ['', '.', 'a', 'a.b.c', '💥.💥', 'x'.repeat(10_000)])
    expect(secrets.verifyToken('open', text)).toBeNull()
})

test('a sealed address is always the same, can be opened, and is unreadable without the key', () => {
  const secrets = createSecrets([first])
  fc.assert(
    fc.property(fc.emailAddress(), fc.emailAddress(), (email, other) => {
      const sealed = secrets.sealAddress(email)
      expect(secrets.sealAddress(email)).toBe(sealed)
      expect(secrets.openAddress(sealed)).toBe(email)
      expect(Buffer.from(sealed, 'base64url').includes(email)).toBe(false)
      expect(createSecrets([second]).openAddress(sealed)).toBe(null)
      expect(secrets.addressHash(email).equals(secrets.addressHash(other))).toBe(email === other)
      expect(createSecrets([second]).addressHash(email).equals(secrets.addressHash(email))).toBe(false)
    }),
    { numRuns: 50 },
  )
  for (const text of ['', 'x', 'a'.repeat(100), secrets.sealAddress('a@example.com').slice(0, -1)])
    expect(secrets.openAddress(text)).toBe(null)
})

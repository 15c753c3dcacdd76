import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasRole, roles, type Role } from '@overture/contract/team/roles.ts'
import { roleOfClaims } from './role-of-claims.ts'

const config = (pairs: readonly [string, Role][], defaultRole: Role | null = null, roleClaim = 'groups') => ({
  roleClaim,
  roleMap: new Map(pairs),
  defaultRole,
})

test.each<[string, object, string, Role | null]>([
  ['a list', { groups: ['x', 'ops'] }, 'groups', 'admin'],
  ['one name', { groups: 'ops' }, 'groups', 'admin'],
  ['a claim in a claim', { realm_access: { roles: ['ops'] } }, 'realm_access.roles', 'admin'],
  ['a claim whose name has dots', { 'https://x.test/groups': ['ops'] }, 'https://x.test/groups', 'admin'],
  ['nothing', {}, 'groups', null],
  ['numbers and objects', { groups: [7, { ops: 1 }, null] }, 'groups', null],
  ['what every object has', { groups: ['constructor'] }, 'constructor.name', null],
  ['a group called *', { groups: ['*'] }, 'groups', null],
])('%s gives its role', (_what, claims, claim, role) => {
  expect(roleOfClaims({ ...claims }, config([['ops', 'admin']], null, claim))).toBe(role)
})

test('the highest role of several groups is used', () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.constantFrom(...roles)), {
    selector: ([group]) => group,
  })
  fc.assert(
    fc.property(pairs, fc.array(fc.stringMatching(/^[a-z]{1,3}$/)), (known, groups) => {
      const given = known.filter(([group]) => groups.includes(group)).map(([, role]) => role)
      const role = roleOfClaims({ groups }, config(known))
      expect(given.length === 0 ? [null] : given).toContain(role)
      expect(given.every((one) => hasRole(role!, one))).toBe(true)
    }),
  )
})

test('a user without a group gets the role of *, else the default role', () => {
  expect(roleOfClaims({}, config([['*', 'viewer']], 'member'))).toBe('viewer')
  expect(roleOfClaims({}, config([['ops', 'owner']], 'member'))).toBe('member')
})

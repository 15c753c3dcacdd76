import { expect, test } from 'vitest'
import { isForeignKeyViolation, isUnavailable, isUniqueViolation } from './errors.ts'

const refused = (code: string, more: object = {}) => Object.assign(new Error('FATAL'), { code, ...more })

test.each([
  '53300',
  '53400',
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08007',
])('SQLSTATE %s means the database is unavailable', (code) => expect(isUnavailable(refused(code))).toBe(true))

test.each(['23505', '22P02', '42P01', '53100', '57014', '40001'])('SQLSTATE %s is an error of its statement', (code) =>
  expect(isUnavailable(refused(code))).toBe(false),
)

test('08P01 means unavailable from a pooler, and an error of the statement from PostgreSQL', () => {
  expect(isUnavailable(refused('08P01'))).toBe(true)
  expect(isUnavailable(refused('08P01', { routine: 'exec_bind_message' }))).toBe(false)
})

test('a constraint is known by its field, or by the message of another server with the number of a shard', () => {
  const here = refused('23505', { constraint: 'meeting_availability_slug' })
  const elsewhere = Object.assign(
    new Error('duplicate key violates unique constraint "meeting_availability_slug_102145"'),
    {
      code: '23505',
    },
  )
  for (const error of [here, elsewhere]) {
    expect(isUniqueViolation(error, 'meeting_availability_slug')).toBe(true)
    expect(isUniqueViolation(error, 'other')).toBe(false)
  }
  const key = Object.assign(
    new Error('violates foreign key constraint "leads_campaign_fkey_102200" of table "leads_102200"'),
    {
      code: '23503',
    },
  )
  expect(isForeignKeyViolation(key, 'leads_campaign_fkey')).toBe(true)
})

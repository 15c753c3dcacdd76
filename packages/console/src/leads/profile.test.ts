import { expect, test } from 'vitest'
import { afterSaving, profileChanges, profileFields, typedProfile, type Profile } from './profile.ts'

const nothing = Object.fromEntries(profileFields.map((name) => [name, null])) as Pick<
  Profile,
  (typeof profileFields)[number]
>
const profile: Profile = {
  ...nothing,
  email: 'grace@example.com',
  firstName: 'Grace',
  city: 'Arlington',
  customVariables: { Plan: 'pro', seats: 12, trial: true },
}

test('sends nothing if nothing was typed', () => {
  expect(profileChanges(profile, typedProfile(profile))).toEqual({})
})

test('sends changed fields only, and null for an emptied one', () => {
  const typed = typedProfile(profile)
  const fields = { ...typed.fields, firstName: ' Grace ', city: '', country: 'US' }
  expect(profileChanges(profile, { ...typed, fields })).toEqual({ city: null, country: 'US' })
})

test('keeps the type of a custom field, and adds one', () => {
  const typed = typedProfile(profile)
  const custom = { Plan: 'basic', seats: '20', trial: 'false' }
  expect(profileChanges(profile, { ...typed, custom, added: { name: ' team ', value: 'EMEA' } })).toEqual({
    customVariables: { Plan: 'basic', seats: 20, trial: false, team: 'EMEA' },
  })
  expect(profileChanges(profile, { ...typed, custom: { ...typed.custom, seats: 'many' } })).toEqual({
    customVariables: { seats: 'many' },
  })
})

test('sends a changed consent as a boolean, and null for one that was taken back', () => {
  const typed = typedProfile(profile)
  const agreed = { ...typed.fields, trackingConsent: 'true' }
  expect(profileChanges(profile, { ...typed, fields: agreed })).toEqual({ trackingConsent: true })
  const consenting = { ...profile, trackingConsent: true }
  const undone = typedProfile(consenting)
  expect(undone.fields.trackingConsent).toBe('true')
  expect(profileChanges(consenting, { ...undone, fields: { ...undone.fields, trackingConsent: '' } })).toEqual({
    trackingConsent: null,
  })
})

test('an added custom field is one of the custom fields after saving', () => {
  const typed = { ...typedProfile(profile), added: { name: ' team ', value: 'EMEA' } }
  expect(afterSaving(typed)).toMatchObject({ custom: { team: 'EMEA' }, added: { name: '', value: '' } })
})

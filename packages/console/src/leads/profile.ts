import type { LawfulBasis, Lead, Person } from '@overture/sdk'

export const profileFields = [
  'firstName',
  'lastName',
  'jobTitle',
  'company',
  'companyDomain',
  'mobile',
  'linkedinUrl',
  'city',
  'country',
  'timezone',
  'personId',
  'lawfulBasis',
  'dataSource',
  'basisNote',
  'trackingConsent',
] as const
export type ProfileField = (typeof profileFields)[number]

/** The data of a lead, or of a person in all campaigns. */
export type Profile = Pick<Lead & Person, ProfileField | 'email' | 'customVariables'>

type CustomValue = Profile['customVariables'][string]

export interface TypedProfile {
  fields: Readonly<Record<ProfileField, string>>
  /** The custom fields that the person has, as text. */
  custom: Readonly<Record<string, string>>
  /** A custom field that is added. It has no name if there is none. */
  added: { name: string; value: string }
}

export function typedProfile(profile: Profile): TypedProfile {
  return {
    fields: Object.fromEntries(
      profileFields.map((name) => [name, String(profile[name] ?? '')]),
    ) as TypedProfile['fields'],
    custom: Object.fromEntries(Object.entries(profile.customVariables).map(([name, value]) => [name, String(value)])),
    added: { name: '', value: '' },
  }
}

export type ProfileChanges = Partial<
  Record<Exclude<ProfileField, 'lawfulBasis' | 'trackingConsent'>, string | null>
> & {
  lawfulBasis?: LawfulBasis | null
  trackingConsent?: boolean | null
  customVariables?: Record<string, CustomValue>
}

/** The fields that differ from the stored ones. Other fields are not sent, because the campaigns of a person may differ in them. */
export function profileChanges(profile: Profile, typed: TypedProfile): ProfileChanges {
  const changes: ProfileChanges = {}
  for (const name of profileFields) {
    const value = typed.fields[name].trim()
    if (value === String(profile[name] ?? '')) continue
    const stored = name === 'trackingConsent' ? value === 'true' : value
    Object.assign(changes, { [name]: value === '' ? null : stored })
  }
  const custom: Record<string, CustomValue> = {}
  for (const [name, value] of Object.entries(typed.custom)) {
    const stored = profile.customVariables[name]
    if (value !== String(stored)) custom[name] = likeStored(stored, value)
  }
  const added = typed.added.name.trim()
  if (added !== '') custom[added] = typed.added.value
  return Object.keys(custom).length === 0 ? changes : { ...changes, customVariables: custom }
}

/** The form after its values were saved: an added custom field is one of the custom fields. */
export function afterSaving({ fields, custom, added }: TypedProfile): TypedProfile {
  const name = added.name.trim()
  const saved = name === '' ? custom : { ...custom, [name]: added.value }
  return { fields, custom: saved, added: { name: '', value: '' } }
}

/** A number stays a number, and yes or no stays that, if the text still is one. */
function likeStored(stored: CustomValue | undefined, typed: string): CustomValue {
  const text = typed.trim()
  if (typeof stored === 'number' && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (typeof stored === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return typed
}

import { profileFields, type LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'

type ProfileField = keyof LeadProfile

/** The columns of a person's profile, by their names in the contract. */
export const profileColumns = Object.fromEntries(profileFields.map((name) => [name, toColumn(name)])) as Record<
  ProfileField,
  string
>

function toColumn(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The columns for a `select` in the order of the contract, each with the alias if one is given. */
export function selectProfile(alias?: string): string {
  const from = alias === undefined ? '' : `${alias}.`
  return profileFields.map((name) => `${from}${profileColumns[name]}`).join(', ')
}

/** Copies only the profile fields. A missing field is null. */
export function copyProfile(source: {
  readonly [Field in ProfileField]?: LeadProfile[Field] | undefined
}): LeadProfile {
  return Object.fromEntries(profileFields.map((name) => [name, source[name] ?? null])) as LeadProfile
}

import { profileFields, type LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'

type ProfileField = keyof LeadProfile

/** The columns of what is known of a person, by the names of the contract. */
export const profileColumns = Object.fromEntries(profileFields.map((name) => [name, columnOf(name)])) as Record<
  ProfileField,
  string
>

function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The columns for a `select`, in the order of the contract, each behind the alias where one is given. */
export function selectProfile(alias?: string): string {
  const from = alias === undefined ? '' : `${alias}.`
  return profileFields.map((name) => `${from}${profileColumns[name]}`).join(', ')
}

/** The fields alone, null where there is none. */
export function profileOf(source: { readonly [Field in ProfileField]?: string | null | undefined }): LeadProfile {
  return Object.fromEntries(profileFields.map((name) => [name, source[name] ?? null])) as LeadProfile
}

import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Form, formStyles, Pair, SelectField, TextField, ZoneField } from '../platform/form/index.ts'
import { findIssue, Panel, say } from '../platform/ui/index.ts'
import {
  afterSaving,
  profileChanges,
  typedProfile,
  type Profile,
  type ProfileChanges,
  type ProfileField,
} from './profile.ts'
import { text } from './profile.messages.ts'

const choices = {
  lawfulBasis: [
    { value: '', label: text.noBasis },
    ...Object.entries(text.bases).map(([value, label]) => ({ value, label })),
  ],
  trackingConsent: (['', 'true', 'false'] as const).map((value) => ({ value, label: text.consents[value] })),
}

export interface ProfileFormProps {
  profile: Profile
  /** A text about where the change applies. */
  about?: string
  update: UseMutationResult<unknown, Error, ProfileChanges>
}

/** All data of a lead or a person, to see and to change. */
export function ProfileForm({ profile, about, update }: ProfileFormProps) {
  const { error } = update
  const [typed, setTyped] = useState(() => typedProfile(profile))
  const saved = (): void => {
    setTyped(afterSaving)
    say(text.saved)
  }
  const submit = (): void => update.mutate(profileChanges(profile, typed), { onSuccess: saved })
  const field = (name: ProfileField) => (
    <TextField
      label={text.fields[name]}
      value={typed.fields[name]}
      change={(value) => setTyped({ ...typed, fields: { ...typed.fields, [name]: value } })}
      error={findIssue(error, name)}
    />
  )
  const chosen = (name: keyof typeof choices) => (
    <SelectField
      label={text.fields[name]}
      value={typed.fields[name]}
      choices={choices[name]}
      change={(value) => setTyped({ ...typed, fields: { ...typed.fields, [name]: value } })}
      error={findIssue(error, name)}
    />
  )
  return (
    <Panel title={text.title}>
      <Form
        operation="updateCampaignLead"
        guarded
        submit={submit}
        submitLabel={text.save}
        busy={update.isPending}
        error={error}
      >
        {about !== undefined && <p>{about}</p>}
        <TextField
          label={text.email}
          hint={text.emailHint}
          type="email"
          value={profile.email}
          disabled
          change={() => undefined}
        />
        <Pair>
          {field('firstName')}
          {field('lastName')}
          {field('jobTitle')}
          {field('company')}
          {field('companyDomain')}
          {field('mobile')}
          {field('linkedinUrl')}
          {field('personId')}
          {field('city')}
          {field('country')}
          {chosen('lawfulBasis')}
          {field('dataSource')}
          {field('basisNote')}
          {chosen('trackingConsent')}
        </Pair>
        <ZoneField
          label={text.fields.timezone}
          hint={text.zoneHint}
          value={typed.fields.timezone}
          change={(timezone) => setTyped({ ...typed, fields: { ...typed.fields, timezone } })}
          error={findIssue(error, 'timezone') === undefined ? undefined : text.zoneUnknown}
        />
        <CustomFields
          custom={typed.custom}
          added={typed.added}
          change={(part) => setTyped({ ...typed, ...part })}
          error={error}
        />
      </Form>
    </Panel>
  )
}

interface CustomFieldsProps {
  custom: Readonly<Record<string, string>>
  added: { name: string; value: string }
  change: (part: { custom?: Record<string, string>; added?: { name: string; value: string } }) => void
  error: unknown
}

function CustomFields({ custom, added, change, error }: CustomFieldsProps) {
  return (
    <fieldset className={formStyles['group']}>
      <legend className={formStyles['legend']}>{text.custom}</legend>
      <Pair>
        {Object.entries(custom).map(([name, value]) => (
          <TextField
            key={name}
            label={name}
            value={value}
            change={(next) => change({ custom: { ...custom, [name]: next } })}
            error={findIssue(error, `customVariables.${name}`)}
          />
        ))}
        <TextField
          label={text.addedName}
          hint={text.addedNameHint}
          optional
          value={added.name}
          change={(name) => change({ added: { ...added, name } })}
          error={findIssue(error, `customVariables.${added.name.trim()}`)}
        />
        <TextField
          label={text.addedValue}
          optional
          value={added.value}
          change={(value) => change({ added: { ...added, value } })}
        />
      </Pair>
    </fieldset>
  )
}

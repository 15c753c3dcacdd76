import type { Me } from '@overture/sdk'
import { ApiError } from '@overture/sdk'
import { useState } from 'react'
import { CheckField, Form, SelectField, TextField } from '../platform/form/index.ts'
import { Columns, errorText, findIssue, Panel, say, Shown } from '../platform/ui/index.ts'
import { SettingsPage } from '../settings/index.ts'
import { useChangePassword, useUpdateMe } from './session.actions.ts'
import { useMe } from './session.queries.ts'
import { text } from './profile.messages.ts'
import { Sessions } from './sessions.panel.tsx'
import { SecondStep } from './totp/totp.panel.tsx'

export function ProfilePage() {
  const me = useMe()
  return (
    <SettingsPage tab="profile">
      <Shown of={me}>
        {(data) => (
          <>
            <Columns>
              <NameForm key={data.id} me={data} />
              {data.methods.includes('password') && <ChangePassword />}
              <Preferences me={data} />
              <SecondStep me={data} />
            </Columns>
            <Sessions />
          </>
        )}
      </Shown>
    </SettingsPage>
  )
}

function NameForm({ me }: { me: Me }) {
  const [name, setName] = useState(me.name)
  const update = useUpdateMe()
  return (
    <Panel title={text.you}>
      <Form
        guarded
        submit={() => update.mutate({ name }, { onSuccess: () => say(text.saved) })}
        submitLabel={text.save}
        busy={update.isPending}
        error={update.error}
      >
        <TextField label={text.name} value={name} change={setName} error={findIssue(update.error, 'name')} />
        <TextField label={text.email} value={me.email} disabled change={() => undefined} />
      </Form>
    </Panel>
  )
}

const noPasswords = { currentPassword: '', newPassword: '' }

function ChangePassword() {
  const [fields, setFields] = useState(noPasswords)
  const change = useChangePassword()
  const wrong = ApiError.is(change.error) && change.error.status === 401
  const submit = (): void =>
    change.mutate(fields, {
      onSuccess: () => {
        setFields(noPasswords)
        say(text.passwordChanged)
      },
    })
  return (
    <Panel title={text.password}>
      <Form
        guarded
        submit={submit}
        submitLabel={text.changePassword}
        busy={change.isPending}
        error={wrong ? null : change.error}
        reason={Object.values(fields).includes('') ? text.bothPasswords : null}
      >
        <p>{text.passwordText}</p>
        <TextField
          label={text.currentPassword}
          type="password"
          autoComplete="current-password"
          value={fields.currentPassword}
          change={(currentPassword) => setFields({ ...fields, currentPassword })}
          error={wrong ? errorText(change.error) : undefined}
        />
        <TextField
          label={text.newPassword}
          type="password"
          autoComplete="new-password"
          hint={text.passwordHint}
          value={fields.newPassword}
          change={(newPassword) => setFields({ ...fields, newPassword })}
          error={findIssue(change.error, 'newPassword')}
        />
      </Form>
    </Panel>
  )
}

const themes = ['system', 'light', 'dark'] as const
const densities = ['comfortable', 'compact'] as const

/** The languages to choose from. The one for testing is offered only to a user who already has it, to leave it again. */
function languagesFor(locale: string | null): (keyof typeof text.languages)[] {
  return locale === 'en-XA' ? ['en', 'en-XA'] : ['en']
}

function Preferences({ me }: { me: Me }) {
  const update = useUpdateMe()
  const { theme, density, singleKeys, locale } = me.preferences
  const languages = languagesFor(locale)
  const set = (preferences: Partial<Me['preferences']>): void => update.mutate({ preferences })
  const chooseLanguage = (next: string): void =>
    update.mutate({ preferences: { locale: next || null } }, { onSuccess: () => location.reload() })
  return (
    <Panel title={text.look}>
      <SelectField
        label={text.theme}
        value={theme}
        choices={themes.map((value) => ({ value, label: text.themes[value] }))}
        change={(value) => set({ theme: value as typeof theme })}
      />
      <SelectField
        label={text.density}
        value={density}
        choices={densities.map((value) => ({ value, label: text.densities[value] }))}
        change={(value) => set({ density: value as typeof density })}
      />
      {languages.length > 1 && (
        <SelectField
          label={text.language}
          value={locale ?? ''}
          choices={languages.map((value) => ({ value: value === 'en' ? '' : value, label: text.languages[value] }))}
          change={chooseLanguage}
        />
      )}
      <CheckField
        label={text.singleKeys}
        hint={text.singleKeysHint}
        checked={singleKeys}
        change={(checked) => set({ singleKeys: checked })}
      />
    </Panel>
  )
}

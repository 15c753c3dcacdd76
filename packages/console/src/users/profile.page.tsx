import type { Me } from '@overture/sdk'
import { useState } from 'react'
import { CheckField, Form, SelectField, TextField } from '../platform/form/index.ts'
import { Columns, issueOf, Panel, say, Shown } from '../platform/ui/index.ts'
import { SettingsPage } from '../settings/index.ts'
import { useUpdateMe } from './session.actions.ts'
import { useMe } from './session.queries.ts'
import { text } from './profile.messages.ts'
import { Sessions } from './sessions.panel.tsx'
import { SecondStep } from './totp.panel.tsx'

export function ProfilePage() {
  const me = useMe()
  return (
    <SettingsPage tab="profile">
      <Shown of={me}>
        {(data) => (
          <>
            <Columns>
              <NameForm key={data.id} me={data} />
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
        <TextField label={text.name} value={name} change={setName} error={issueOf(update.error, 'name')} />
        <TextField label={text.email} value={me.email} disabled change={() => undefined} />
      </Form>
    </Panel>
  )
}

const themes = ['system', 'light', 'dark'] as const
const densities = ['comfortable', 'compact'] as const

function Preferences({ me }: { me: Me }) {
  const update = useUpdateMe()
  const { theme, density, singleKeys, locale } = me.preferences
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
      <SelectField
        label={text.language}
        value={locale ?? ''}
        choices={Object.entries(text.languages).map(([value, label]) => ({
          value: value === 'en' ? '' : value,
          label,
        }))}
        change={chooseLanguage}
      />
      <CheckField
        label={text.singleKeys}
        hint={text.singleKeysHint}
        checked={singleKeys}
        change={(checked) => set({ singleKeys: checked })}
      />
    </Panel>
  )
}

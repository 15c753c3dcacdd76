import type { PersonWithHistory } from '@overture/sdk'
import { ActivityLines } from '../events/index.ts'
import { InterestBadge, LeadStatusBadge, ProfileForm, profileText, type ProfileChanges } from '../leads/index.ts'
import { usePaths } from '../paths.ts'
import { useAction } from '../platform/api/action.ts'
import { useReading } from '../platform/api/query.ts'
import { saveFile } from '../platform/api/save-file.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import {
  AskFirst,
  Badge,
  Button,
  Columns,
  ErrorNote,
  Grow,
  Lines,
  Link,
  LinkButton,
  Page,
  Panel,
  say,
  Shown,
  useGo,
} from '../platform/ui/index.ts'
import { TagsPanel } from '../tags/index.ts'
import { text } from './people.messages.ts'

export function PersonPage() {
  const { id } = usePathParams('/people/$id')
  const person = useReading<PersonWithHistory>({
    key: ['people', 'one', id],
    read: (api, signal) => api.leads.get(id, { signal }),
  })
  return (
    <Page
      title={person.data?.email ?? text.title}
      beside={person.data?.suppressed && <Badge tone="warn">{text.suppressed}</Badge>}
      actions={person.data && <PersonActions person={person.data} />}
    >
      <Shown of={person}>
        {(data) => (
          <Columns>
            <Details key={data.id} person={data} />
            <Memberships person={data} />
            <TagsPanel id={data.id} tagIds={data.tagIds} />
            <Panel title={text.history}>
              <ActivityLines activities={data.history} label={text.history} />
            </Panel>
          </Columns>
        )}
      </Shown>
    </Page>
  )
}

function Details({ person }: { person: PersonWithHistory }) {
  const update = useAction<ProfileChanges>({
    act: (api, changes) => api.leads.update(person.id, changes),
    stale: () => [['people'], ['leads'], ['campaigns'], ['conversations']],
  })
  return <ProfileForm profile={person} about={profileText.inEveryCampaign} update={update} />
}

function Memberships({ person }: { person: PersonWithHistory }) {
  const paths = usePaths()
  return (
    <Panel title={text.inCampaigns}>
      <Lines label={text.inCampaigns}>
        {person.campaigns.map(({ campaignId, campaignName, leadId, status, interest }) => (
          <li key={leadId}>
            <Grow>
              <Link to={paths.lead(campaignId, leadId)}>{campaignName}</Link>
            </Grow>
            {interest !== null && <InterestBadge interest={interest} />}
            <LeadStatusBadge status={status} />
            <LinkButton small operation="createTask" to={paths.addTask(leadId)}>
              {text.addTask}
            </LinkButton>
          </li>
        ))}
      </Lines>
    </Panel>
  )
}

function PersonActions({ person }: { person: PersonWithHistory }) {
  const { id, email, suppressed } = person
  const go = useGo()
  const paths = usePaths()
  const erase = useAction({
    act: (api) => api.leads.erase(id),
    deletes: id,
    stale: () => [['people'], ['leads'], ['campaigns'], ['conversations'], ['suppressions']],
    done: () => {
      say(text.erased)
      go(paths.erasures, { replace: true })
    },
  })
  const suppress = useAction({
    act: (api) => api.suppressions.create({ email }),
    stale: () => [['people'], ['leads'], ['suppressions']],
    done: () => say(text.suppressedNow(email)),
  })
  const download = useAction({
    act: (api) => api.leads.export(id),
    done: (data) => saveFile(`${email}.json`, JSON.stringify(data, null, 2), 'application/json'),
  })
  return (
    <>
      <Button operation="exportPerson" busy={download.isPending} onClick={() => download.mutate()}>
        {text.export}
      </Button>
      {!suppressed && (
        <Button operation="createSuppression" busy={suppress.isPending} onClick={() => suppress.mutate()}>
          {text.suppress}
        </Button>
      )}
      <AskFirst operation="erasePerson" look="danger" danger label={text.erase} title={text.eraseTitle} action={erase}>
        {text.eraseText(email)}
      </AskFirst>
      <ErrorNote error={download.error ?? suppress.error} />
    </>
  )
}

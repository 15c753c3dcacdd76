import type { SendingAccount } from '@overture/sdk'
import { providerOfServers, senderActions } from '@overture/contract/vocabularies.ts'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { EditorField } from '../editor/index.ts'
import { usePaths } from '../paths.ts'
import { Form, NumberField, Pair, TextField } from '../platform/form/index.ts'
import {
  AskFirst,
  Button,
  Columns,
  ErrorNote,
  issueOf,
  Link,
  Note,
  Page,
  Panel,
  Row,
  say,
  Shown,
  useGo,
} from '../platform/ui/index.ts'
import { SenderStatusBadge } from './badges.tsx'
import { Checks } from './checks.tsx'
import { DomainHealth } from './domain-health.panel.tsx'
import {
  useConvert,
  useDeleteSender,
  usePauseSender,
  useResumeSender,
  useUpdateSender,
  useVerify,
} from './senders.actions.ts'
import { text } from './senders.messages.ts'
import { useSender } from './senders.queries.ts'

export function SenderPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const sender = useSender(id)
  return (
    <Page
      title={sender.data?.email ?? text.title}
      beside={sender.data && <SenderStatusBadge status={sender.data.status} />}
      actions={sender.data && <SenderButtons sender={sender.data} />}
    >
      <Shown of={sender}>
        {(data) => (
          <>
            {data.lastError !== null && (data.status !== 'active' || data.statusAdvice !== null) && (
              <Note tone={data.status === 'active' ? 'warn' : 'bad'}>
                <p>{data.lastError}</p>
                {data.statusAdvice !== null && <p>{data.statusAdvice}</p>}
              </Note>
            )}
            <Columns>
              <Connection sender={data} />
              <SettingsForm key={data.id} sender={data} />
            </Columns>
            <DomainHealth sender={data} />
          </>
        )}
      </Shown>
    </Page>
  )
}

function SenderButtons({ sender }: { sender: SendingAccount }) {
  const { id, email, status } = sender
  const go = useGo()
  const paths = usePaths()
  const pause = usePauseSender(id)
  const resume = useResumeSender(id)
  const remove = useDeleteSender(id, () => go(paths.senders, { replace: true }))
  const allowed = senderActions[status]
  return (
    <>
      {allowed.includes('pause') && (
        <Button operation="pauseSendingAccount" busy={pause.isPending} onClick={() => pause.mutate()}>
          {text.pause}
        </Button>
      )}
      {allowed.includes('resume') && (
        <Button operation="resumeSendingAccount" busy={resume.isPending} onClick={() => resume.mutate()}>
          {text.resume}
        </Button>
      )}
      <AskFirst look="danger" danger label={text.remove} title={text.removeTitle} action={remove}>
        {text.removeText(email)}
      </AskFirst>
      <ErrorNote error={pause.error ?? resume.error} />
    </>
  )
}

function Connection({ sender }: { sender: SendingAccount }) {
  const verify = useVerify()
  return (
    <Panel title={text.checks}>
      {verify.data && <Checks verification={verify.data} />}
      <ErrorNote error={verify.error} />
      <Row>
        <Button operation="verifySendingAccount" busy={verify.isPending} onClick={() => verify.mutate(sender.id)}>
          {text.verify}
        </Button>
        <span role="status">{verify.isPending ? text.verifying : ''}</span>
      </Row>
      <LogInByOAuth sender={sender} />
    </Panel>
  )
}

/** Connects an account at Google or Microsoft by OAuth, as a replacement for its password or to renew the login. */
function LogInByOAuth({ sender }: { sender: SendingAccount }) {
  const paths = usePaths()
  const convert = useConvert(sender.id)
  const provider = providerOfServers(sender)
  if (sender.tenantConnectionId !== null)
    return (
      <p>
        {text.throughOrganization} <Link to={paths.organizations}>{text.organizations}</Link>
      </p>
    )
  if (provider === null) return null
  const again = sender.provider !== 'smtp'
  return (
    <>
      <p>{again ? text.reconnectText : text.convertText}</p>
      <Row>
        <Button
          busy={convert.isPending}
          onClick={() => convert.mutate({ provider, returnPath: paths.sender(sender.id) })}
        >
          {provider === 'google' ? text.withGoogle : text.withMicrosoft}
        </Button>
        <ErrorNote error={convert.error} />
      </Row>
    </>
  )
}

function SettingsForm({ sender }: { sender: SendingAccount }) {
  const { fromName, dailyLimit, minGapSeconds, maxGapSeconds, timezone, signature, replyTo } = sender
  const [fields, setFields] = useState({
    fromName,
    dailyLimit,
    minGapSeconds,
    maxGapSeconds,
    timezone,
    signature: signature ?? '',
    replyTo: replyTo ?? '',
  })
  const update = useUpdateSender(sender.id, () => say(text.saved))
  const set = (changes: Partial<typeof fields>): void => setFields((before) => ({ ...before, ...changes }))
  const submit = (): void =>
    update.mutate({ ...fields, signature: fields.signature || null, replyTo: fields.replyTo || null })
  const issue = (path: string) => issueOf(update.error, path)
  return (
    <Panel title={text.settings}>
      <Form guarded submit={submit} submitLabel={text.save} busy={update.isPending} error={update.error}>
        <Pair>
          <TextField
            label={text.fromName}
            value={fields.fromName}
            change={(value) => set({ fromName: value })}
            error={issue('fromName')}
          />
          <NumberField
            label={text.dailyLimit}
            value={fields.dailyLimit}
            change={(value) => set({ dailyLimit: value ?? 0 })}
            error={issue('dailyLimit')}
          />
          <NumberField
            label={text.minGap}
            value={fields.minGapSeconds}
            change={(value) => set({ minGapSeconds: value ?? 0 })}
            error={issue('minGapSeconds')}
          />
          <NumberField
            label={text.maxGap}
            value={fields.maxGapSeconds}
            change={(value) => set({ maxGapSeconds: value ?? 0 })}
            error={issue('maxGapSeconds')}
          />
          <TextField
            label={text.timezone}
            value={fields.timezone}
            change={(value) => set({ timezone: value })}
            error={issue('timezone')}
          />
          <TextField
            label={text.replyTo}
            type="email"
            optional
            value={fields.replyTo}
            change={(value) => set({ replyTo: value })}
            error={issue('replyTo')}
          />
        </Pair>
        <EditorField
          label={text.signature}
          optional
          compact
          value={fields.signature}
          change={(value) => set({ signature: value })}
          error={issue('signature')}
        />
      </Form>
    </Panel>
  )
}

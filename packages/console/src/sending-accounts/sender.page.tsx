import type { SendingAccount } from '@overture/sdk'
import { providerOfServers, senderActions } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { EditorField } from '../editor/index.ts'
import { usePaths } from '../paths.ts'
import { Form, NumberField, Pair, TextField, useSearchParams, ZoneField } from '../platform/form/index.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import {
  AskFirst,
  Button,
  Columns,
  Details,
  ErrorNote,
  findIssue,
  Link,
  Note,
  Page,
  Panel,
  Row,
  say,
  Shown,
  Stack,
  useGo,
} from '../platform/ui/index.ts'
import { SenderStatusBadge } from './badges.tsx'
import { Checks } from './checks.tsx'
import { DomainHealth } from './domain-health.panel.tsx'
import { plainStoredError } from './failures.ts'
import { Repair } from './repair.panel.tsx'
import { Pace } from './pace/pace.panel.tsx'
import { OtherTools } from './other-tools/other-tools.panel.tsx'
import { TrackingDomain } from './tracking-domain/tracking-domain.panel.tsx'
import {
  useConvert,
  useDeleteSender,
  usePauseSender,
  useResumeSender,
  useUpdateSender,
  useVerify,
} from './senders.actions.ts'
import { TagsPanel } from '../tags/index.ts'
import { text } from './senders.messages.ts'
import { useSender } from './senders.queries.ts'

export function SenderPage() {
  const { id } = usePathParams('/sending-accounts/$id')
  const sender = useSender(id)
  return (
    <Page
      title={sender.data?.email ?? text.title}
      beside={sender.data && <SenderStatusBadge status={sender.data.status} />}
      actions={sender.data && <SenderButtons sender={sender.data} />}
    >
      <Shown of={sender}>{(data) => <Sender key={data.id} sender={data} />}</Shown>
    </Page>
  )
}

function Sender({ sender }: { sender: SendingAccount }) {
  const verify = useVerify()
  const [{ change }] = useSearchParams()
  // Only accounts with servers of their own have a password.
  const repairable = sender.provider === 'smtp'
  const [repairing, setRepairing] = useState(change === 'servers' || isBroken(sender))
  const check = (): void => verify.mutate(sender.id, { onSuccess: ({ ok }) => setRepairing((open) => open && !ok) })
  return (
    <>
      <LastError sender={sender} />
      {repairable && repairing && (
        <Repair sender={sender} checking={verify.isPending} saved={check} close={() => setRepairing(false)} />
      )}
      <Columns>
        <Stack>
          <Connection
            sender={sender}
            verify={verify}
            check={check}
            repair={repairable && !repairing ? () => setRepairing(true) : null}
          />
          <Pace key={`${sender.id} pace`} sender={sender} />
        </Stack>
        <Stack>
          <SettingsForm sender={sender} />
          <DomainHealth sender={sender} />
        </Stack>
      </Columns>
      <Columns>
        <TrackingDomain key={sender.id} sender={sender} />
        <OtherTools key={`${sender.id} tools`} sender={sender} />
        <TagsPanel id={sender.id} tagIds={sender.tagIds} />
      </Columns>
    </>
  )
}

function isBroken({ status }: SendingAccount): boolean {
  return status === 'auth_required' || status === 'connection_error'
}

function LastError({ sender }: { sender: SendingAccount }) {
  const { lastError, status, statusAdvice, provider } = sender
  if (lastError === null || (status === 'active' && statusAdvice === null)) return null
  const { sentence, details } = plainStoredError(lastError, sender)
  return (
    <Note tone={status === 'active' ? 'warn' : 'bad'}>
      <p>{sentence}</p>
      {statusAdvice !== null && <p>{statusAdvice}</p>}
      {isBroken(sender) && provider === 'smtp' && <p>{text.repairText}</p>}
      {details !== null && (
        <Details label={text.details}>
          <code>{details}</code>
        </Details>
      )}
    </Note>
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
      <AskFirst
        operation="deleteSendingAccount"
        look="danger"
        danger
        label={text.remove}
        title={text.removeTitle}
        action={remove}
      >
        {text.removeText(email)}
      </AskFirst>
      <ErrorNote error={pause.error ?? resume.error} />
    </>
  )
}

interface ConnectionProps {
  sender: SendingAccount
  verify: ReturnType<typeof useVerify>
  check: () => void
  /** Opens the form for servers and password. Null if the account has none or the form is open. */
  repair: (() => void) | null
}

function Connection({ sender, verify, check, repair }: ConnectionProps) {
  return (
    <Panel title={text.checks}>
      {verify.data && <Checks verification={verify.data} servers={sender} />}
      <ErrorNote error={verify.error} />
      <Row>
        <Button operation="verifySendingAccount" busy={verify.isPending} onClick={check}>
          {verify.data ? text.checkAgain : text.verify}
        </Button>
        {repair !== null && <Button onClick={repair}>{text.repair}</Button>}
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
  const issue = (path: string) => findIssue(update.error, path)
  return (
    <Panel title={text.settings}>
      <Form
        operation="updateSendingAccount"
        guarded
        submit={submit}
        submitLabel={text.save}
        busy={update.isPending}
        error={update.error}
      >
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
          <ZoneField
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

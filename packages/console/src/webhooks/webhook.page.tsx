import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@overture/sdk'
import { useState } from 'react'
import { DeveloperPage } from '../api-keys/index.ts'
import { eventTypeText } from '../events/index.ts'
import { usePaths } from '../paths.ts'
import { useAction } from '../platform/api/action.ts'
import { ChoiceFilter, Filters, useSearchParams } from '../platform/form/index.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import { type Column, ListTable } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Time } from '../platform/time/now.tsx'
import {
  AskFirst,
  Badge,
  Button,
  Dialog,
  Empty,
  ErrorNote,
  Facts,
  Panel,
  Row,
  say,
  Shown,
  type Tone,
  Note,
  useGo,
} from '../platform/ui/index.ts'
import { deliveryText, statusText, text } from './webhooks.messages.ts'
import { deliveryList, useWebhook } from './webhooks.queries.ts'
import { SecretDialog } from './webhooks.page.tsx'

const tones: Readonly<Record<WebhookDelivery['status'], Tone>> = { pending: 'soft', succeeded: 'good', failed: 'bad' }
const statuses = ['pending', 'succeeded', 'failed'] as const

export function WebhookPage() {
  const { id } = usePathParams('/developers/webhooks/$id')
  const webhook = useWebhook(id)
  const [{ status }] = useSearchParams()
  return (
    <DeveloperPage tab="webhooks" title={webhook.data?.url ?? text.title}>
      <Shown of={webhook}>{(data) => <WebhookPanel webhook={data} />}</Shown>
      <Filters label={text.filters}>
        <ChoiceFilter
          name="status"
          label={text.status}
          any={text.anyStatus}
          choices={statuses.map((value) => ({ value, label: deliveryText[value] }))}
        />
      </Filters>
      <Panel flush title={text.deliveries}>
        <ListTable
          label={text.deliveries}
          reading={deliveryList(id, status as WebhookDelivery['status'] | undefined)}
          columns={columns}
          rowKey={({ id: deliveryId }) => deliveryId}
          empty={<Empty title={text.deliveriesNone}>{text.deliveriesNoneText}</Empty>}
        />
      </Panel>
    </DeveloperPage>
  )
}

const columns: Column<WebhookDelivery>[] = [
  { name: text.event, cell: ({ eventType }) => eventTypeText(eventType) },
  { name: text.delivery, cell: ({ status }) => <Badge tone={tones[status]}>{deliveryText[status]}</Badge> },
  { name: text.attempts, number: true, cell: ({ attempts }) => numberText(attempts) },
  { name: text.answer, cell: ({ responseStatus, error }) => responseStatus ?? error },
  { name: text.at, cell: ({ lastAttemptAt }) => lastAttemptAt && <Time at={lastAttemptAt} /> },
  { name: text.again, cell: (delivery) => <Redeliver delivery={delivery} /> },
]

function Redeliver({ delivery }: { delivery: WebhookDelivery }) {
  const [open, setOpen] = useState(false)
  const redeliver = useAction({
    act: (api) => api.webhooks.deliveries.redeliver(delivery.webhookId, delivery.id),
    stale: () => [['webhooks']],
  })
  return (
    <Row>
      <Button small operation="redeliverWebhook" busy={redeliver.isPending} onClick={() => redeliver.mutate()}>
        {text.again}
      </Button>
      <Button small look="quiet" onClick={() => setOpen(true)}>
        {text.details}
      </Button>
      <ErrorNote error={redeliver.error} />
      <Dialog title={eventTypeText(delivery.eventType)} wide open={open} close={() => setOpen(false)}>
        <Facts
          items={[
            { label: text.answer, value: delivery.responseStatus ?? delivery.error },
            { label: text.details, value: <code>{delivery.responseExcerpt}</code> },
            ...delivery.attemptLog.map(({ at, responseStatus, error, durationMs }) => ({
              label: `${responseStatus ?? error}`,
              value: (
                <>
                  <Time at={at} /> {`${numberText(durationMs)} ms`}
                </>
              ),
            })),
          ]}
        />
      </Dialog>
    </Row>
  )
}

function WebhookPanel({ webhook }: { webhook: Webhook }) {
  const { id, enabled, status, failingSince, warning } = webhook
  const [rotated, setRotated] = useState<WebhookWithSecret | null>(null)
  const go = useGo()
  const paths = usePaths()
  const stale = () => [['webhooks']]
  const test = useAction({ act: (api) => api.webhooks.test(id, {}), stale, done: () => say(text.testSent) })
  const toggle = useAction({ act: (api) => api.webhooks.update(id, { enabled: !enabled }), stale })
  const remove = useAction({
    act: (api) => api.webhooks.delete(id),
    deletes: id,
    stale,
    done: () => go(paths.developers('webhooks'), { replace: true }),
  })
  const rotate = useAction<void, WebhookWithSecret>({
    act: (api) => api.webhooks.rotateSecret(id),
    done: setRotated,
  })
  return (
    <Panel label={text.details}>
      {warning !== null && (
        <Note>
          <p>{warning}</p>
        </Note>
      )}
      <Facts
        items={[
          { label: text.status, value: statusText[status] },
          { label: text.events, value: webhook.events.includes('*') ? text.all : webhook.events.join(', ') },
          ...(failingSince === null ? [] : [{ label: text.failing, value: <Time at={failingSince} /> }]),
        ]}
      />
      <Row>
        <Button operation="testWebhook" busy={test.isPending} onClick={() => test.mutate()}>
          {text.test}
        </Button>
        <Button operation="updateWebhook" busy={toggle.isPending} onClick={() => toggle.mutate()}>
          {enabled ? text.disable : text.enable}
        </Button>
        <AskFirst operation="rotateWebhookSecret" label={text.rotate} title={text.rotateTitle} action={rotate}>
          {text.rotateText}
        </AskFirst>
        <AskFirst
          operation="deleteWebhook"
          look="danger"
          danger
          label={text.remove}
          title={text.removeTitle}
          action={remove}
        >
          {text.removeText}
        </AskFirst>
      </Row>
      <ErrorNote error={test.error ?? toggle.error} />
      <SecretDialog webhook={rotated} close={() => setRotated(null)} />
    </Panel>
  )
}

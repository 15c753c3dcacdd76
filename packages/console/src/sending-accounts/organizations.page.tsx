import type { TenantConnection } from '@overture/sdk'
import { useState } from 'react'
import { CsvLink } from '../platform/api/csv-link.tsx'
import { ListTable, type Column } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { AskFirst, Button, Dialog, Empty, Page, Panel, Row } from '../platform/ui/index.ts'
import { text as budgetText } from './budget/budget.messages.ts'
import { RecipientBudget } from './budget/budget.panel.tsx'
import { ConnectOrganization } from './connect-organization.panel.tsx'
import { AddMailboxes, CheckMailbox } from './organization-mailboxes.panel.tsx'
import { organizationName, organizationList, useRemoveOrganization } from './organizations.actions.ts'
import { accessText, text } from './organizations.messages.ts'
import { providerText } from './senders.messages.ts'

/** Connects organizations at Microsoft 365 and Google Workspace, and adds their mailboxes. */
export function OrganizationsPage() {
  const [chosen, choose] = useState<TenantConnection | null>(null)
  return (
    <Page title={text.title} lead={text.lead}>
      <ConnectOrganization done={choose} />
      {chosen !== null && (
        <>
          <CheckMailbox key={`check ${chosen.id}`} connection={chosen} />
          <AddMailboxes key={`add ${chosen.id}`} connection={chosen} />
        </>
      )}
      <Panel flush title={text.list}>
        <ListTable
          label={text.list}
          reading={organizationList()}
          columns={organizationColumns(choose)}
          rowKey={({ id }) => id}
          csv={<CsvLink path="/v2/tenant-connections" />}
          empty={<Empty title={text.none}>{text.noneText}</Empty>}
        />
      </Panel>
    </Page>
  )
}

function organizationColumns(choose: (connection: TenantConnection) => void): Column<TenantConnection>[] {
  return [
    { name: text.organization, cell: (one) => organizationName(one) },
    { name: text.provider, cell: ({ provider }) => providerText[provider] },
    { name: text.access, cell: ({ access }) => accessText[access] },
    {
      name: budgetText.title,
      number: true,
      cell: ({ dailyExternalRecipients: count }) => (count === null ? budgetText.noLimit : numberText(count)),
    },
    { name: text.mailboxes, number: true, cell: ({ sendingAccounts }) => numberText(sendingAccounts) },
    {
      name: text.choose,
      cell: (one) => (
        <Row>
          {one.access === 'application' && (
            <Button small onClick={() => choose(one)}>
              {text.choose}
            </Button>
          )}
          <Budget connection={one} />
          <Remove connection={one} />
        </Row>
      ),
    },
  ]
}

function Budget({ connection }: { connection: TenantConnection }) {
  const [open, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button small operation="updateTenantConnection" onClick={() => setOpen(true)}>
        {budgetText.edit}
      </Button>
      {open && (
        <Dialog title={`${budgetText.title}: ${organizationName(connection)}`} open close={close} foot={null}>
          <RecipientBudget
            operation="updateTenantConnection"
            budget={connection}
            save={(api, dailyExternalRecipients) =>
              api.tenantConnections.update(connection.id, { dailyExternalRecipients })
            }
            stale={['organizations']}
            done={close}
          />
        </Dialog>
      )}
    </>
  )
}

function Remove({ connection }: { connection: TenantConnection }) {
  const remove = useRemoveOrganization(connection.id)
  return (
    <AskFirst operation="deleteTenantConnection" small label={text.remove} title={text.removeTitle} action={remove}>
      {text.removeText(organizationName(connection))}
    </AskFirst>
  )
}

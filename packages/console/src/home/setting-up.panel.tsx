import { Check, Circle } from 'lucide-react'
import { useCampaigns } from '../campaigns/index.ts'
import { usePaths } from '../paths.ts'
import { Grow, Lines, Link, Panel, Soft } from '../platform/ui/index.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { useAccount } from '../settings/index.ts'
import { useWebhooks } from '../webhooks/index.ts'
import { text } from './home.messages.ts'

const iconSize = 16

/** The steps to a first live campaign, and which are done. */
export function SettingUp() {
  const paths = usePaths()
  const senders = useSenders().data?.results ?? []
  const campaigns = useCampaigns().data?.results ?? []
  const account = useAccount().data
  const webhooks = useWebhooks().data?.results ?? []
  const steps = [
    { name: text.sender, to: paths.connectSender, done: senders.length > 0 },
    { name: text.leads, to: paths.campaigns, done: campaigns.some(({ leadCount }) => leadCount > 0) },
    { name: text.health, to: paths.senders, done: senders.some(({ health }) => health !== null) },
    { name: text.address, to: paths.settings(), done: account?.postalAddress !== null && account !== undefined },
    { name: text.webhook, to: paths.developers('webhooks'), done: webhooks.length > 0 },
  ]
  return (
    <Panel title={text.settingUp}>
      <Lines label={text.settingUp}>
        {steps.map(({ name, to, done }) => (
          <li key={name}>
            {done ? (
              <Check size={iconSize} role="img" aria-label={text.done} />
            ) : (
              <Circle size={iconSize} role="img" aria-label={text.toDo} />
            )}
            <Grow>{done ? <Soft>{name}</Soft> : <Link to={to}>{name}</Link>}</Grow>
          </li>
        ))}
      </Lines>
    </Panel>
  )
}

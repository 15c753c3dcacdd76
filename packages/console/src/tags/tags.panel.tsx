import { Button, ErrorNote, Grow, Lines, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { AddTag } from './add-tag.panel.tsx'
import { useTagging } from './tags.actions.ts'
import { text } from './tags.messages.ts'
import { useTags } from './tags.queries.ts'

/** The tags of a campaign, a person or a sending account. */
export function TagsPanel({ id, tagIds }: { id: string; tagIds: readonly string[] }) {
  const tags = useTags()
  const addition = useTagging(() => undefined)
  const removal = useTagging(() => undefined)
  return (
    <Panel title={text.title}>
      <Shown of={tags}>
        {(all) => (
          <>
            {all.length === 0 && <Soft>{text.none}</Soft>}
            <Lines label={text.title}>
              {all
                .filter((tag) => tagIds.includes(tag.id))
                .map((tag) => (
                  <li key={tag.id}>
                    <Grow>{tag.name}</Grow>
                    <Button
                      small
                      operation="unassignTag"
                      busy={removal.isPending}
                      onClick={() => removal.begin({ rows: [id], change: 'unassign', tag })}
                    >
                      {text.remove(tag.name)}
                    </Button>
                  </li>
                ))}
            </Lines>
            <ErrorNote error={removal.error} />
            <AddTag rows={[id]} choices={all.filter((tag) => !tagIds.includes(tag.id))} tagging={addition} />
          </>
        )}
      </Shown>
    </Panel>
  )
}

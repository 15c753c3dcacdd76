import { useState, type ReactNode } from 'react'
import { type ListTotal, totalText } from '../platform/api/list-total.ts'
import type { ListReading } from '../platform/api/query.ts'
import type { Selection } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Chosen, Dialog, ErrorNote, say } from '../platform/ui/index.ts'
import { AddTag } from './add-tag.panel.tsx'
import { RemoveTag } from './remove-tag.panel.tsx'
import { invertTagChange, isOver, type TagChange } from './tagging.ts'
import { useTagging, type TagOrder, type TagRun } from './tags.actions.ts'
import { text } from './tags.messages.ts'
import { useTags } from './tags.queries.ts'

interface TaggedRow {
  id: string
  tagIds: readonly string[]
}

export interface BulkTagsProps<Item extends TaggedRow> {
  of: keyof typeof text.regions
  selection: Selection<Item>
  /** The rows that are loaded. */
  shown: readonly Item[]
  /** All rows that match. */
  every: { total: ListTotal; page: ListReading<Item>['page'] }
  /** Further actions for the selected rows. They are hidden while all rows that match are selected, because those are not loaded. */
  children?: ReactNode
}

/** Adds a tag to all selected rows of a list, or removes one from them. */
export function BulkTags<Item extends TaggedRow>({ of, selection, shown, every, children }: BulkTagsProps<Item>) {
  const { items, all } = selection
  const tags = useTags().data ?? []
  const [open, setOpen] = useState<TagChange | null>(null)
  const undo = useTagging(() => say(text.undone))
  const tagging = useTagging((run) => {
    const undone = invertRun(run)
    say(resultText(run), undone === null ? undefined : () => undo.begin(undone))
    setOpen(null)
    selection.clear()
  })
  const clear = (): void => {
    tagging.forget()
    selection.clear()
  }
  const begin = (change: TagChange): void => {
    tagging.forget()
    setOpen(change)
  }
  if (items.length === 0) return <ErrorNote error={undo.error} />
  const rows = all ? every : items.map(({ id }) => id)
  const count = all ? totalText(every.total) : numberText(items.length)
  const removable = tags.filter(({ id }) => all || items.some(({ tagIds }) => tagIds.includes(id)))
  return (
    <Chosen label={text.regions[of]} count={text.selected(count)}>
      {items.length < shown.length && (
        <Button small look="quiet" onClick={() => selection.choose(shown)}>
          {text.selectLoaded(numberText(shown.length))}
        </Button>
      )}
      {!all && items.length >= shown.length && every.total.count > shown.length && (
        <Button small look="quiet" onClick={() => selection.chooseAll(shown)}>
          {text.selectMatching(totalText(every.total))}
        </Button>
      )}
      <Button small operation="assignTag" busy={tagging.isPending} onClick={() => begin('assign')}>
        {text.open.assign}
      </Button>
      <Button
        small
        operation="unassignTag"
        busy={tagging.isPending}
        disabledReason={removable.length === 0 ? text.noneToRemove : null}
        onClick={() => begin('unassign')}
      >
        {text.open.unassign}
      </Button>
      {!all && children}
      <Button small look="quiet" onClick={clear}>
        {text.clear}
      </Button>
      {/* An error of a closed dialog is shown here. */}
      <ErrorNote error={undo.error ?? (open === null ? tagging.error : null)} />
      <Dialog title={text.dialog.assign(count)} open={open === 'assign'} close={() => setOpen(null)} foot={null}>
        <AddTag rows={rows} choices={tags} tagging={tagging} />
      </Dialog>
      <Dialog title={text.dialog.unassign(count)} open={open === 'unassign'} close={() => setOpen(null)} foot={null}>
        <RemoveTag rows={rows} choices={removable} tagging={tagging} />
      </Dialog>
    </Chosen>
  )
}

/** The order that restores the changed rows, or null if there are none or they are not known. */
function invertRun({ order, tagId, tagging: { changedIds } }: TagRun): TagOrder | null {
  if (changedIds === null || changedIds.length === 0) return null
  return { rows: changedIds, change: invertTagChange(order.change), tag: { ...order.tag, id: tagId } }
}

function resultText({ order: { change, tag }, tagging }: TagRun): string {
  const { changed, unchanged, gone, done, total } = tagging
  return [
    text.changed[change](tag.name, numberText(changed)),
    ...(unchanged > 0 ? [text.unchanged[change](numberText(unchanged))] : []),
    ...(gone > 0 ? [text.gone(numberText(gone))] : []),
    ...(isOver(tagging) ? [] : [text.halted(numberText(done), totalText(total))]),
  ].join(' · ')
}

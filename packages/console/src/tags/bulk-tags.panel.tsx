import { useState, type ReactNode } from 'react'
import type { Selection } from '../platform/table/index.ts'
import { numberText } from '../platform/time/format.ts'
import { Button, Chosen, Dialog, ErrorNote, say } from '../platform/ui/index.ts'
import { AddTag } from './add-tag.panel.tsx'
import { RemoveTag } from './remove-tag.panel.tsx'
import { invertTagChange, type TagChange } from './tagging.ts'
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
  /** Further actions for the selected rows. */
  children?: ReactNode
}

/** Adds a tag to all selected rows of a list, or removes one from them. */
export function BulkTags<Item extends TaggedRow>({ of, selection, shown, children }: BulkTagsProps<Item>) {
  const { items } = selection
  const tags = useTags().data ?? []
  const [open, setOpen] = useState<TagChange | null>(null)
  const undo = useTagging(() => say(text.undone))
  const tagging = useTagging((run) => {
    const { changed } = run.tagging
    say(resultText(run), changed.length > 0 ? () => undo.begin(invertRun(run)) : undefined)
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
  const ids = items.map(({ id }) => id)
  const count = numberText(items.length)
  const removable = tags.filter(({ id }) => items.some(({ tagIds }) => tagIds.includes(id)))
  return (
    <Chosen label={text.regions[of]} count={text.selected(count)}>
      {items.length < shown.length && (
        <Button small look="quiet" onClick={() => selection.choose(shown)}>
          {text.selectLoaded(numberText(shown.length))}
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
      {children}
      <Button small look="quiet" onClick={clear}>
        {text.clear}
      </Button>
      {/* An error of a closed dialog is shown here. */}
      <ErrorNote error={undo.error ?? (open === null ? tagging.error : null)} />
      <Dialog title={text.dialog.assign(count)} open={open === 'assign'} close={() => setOpen(null)} foot={null}>
        <AddTag ids={ids} choices={tags} tagging={tagging} />
      </Dialog>
      <Dialog title={text.dialog.unassign(count)} open={open === 'unassign'} close={() => setOpen(null)} foot={null}>
        <RemoveTag ids={ids} choices={removable} tagging={tagging} />
      </Dialog>
    </Chosen>
  )
}

function invertRun({ order, tagId, tagging }: TagRun): TagOrder {
  return { ids: tagging.changed, change: invertTagChange(order.change), tag: { ...order.tag, id: tagId } }
}

function resultText({ order: { change, tag }, tagging: { changed, unchanged, gone } }: TagRun): string {
  return [
    text.changed[change](tag.name, numberText(changed.length)),
    ...(unchanged > 0 ? [text.unchanged[change](numberText(unchanged))] : []),
    ...(gone > 0 ? [text.gone(numberText(gone))] : []),
  ].join(' · ')
}

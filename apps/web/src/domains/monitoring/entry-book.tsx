import type { ReactNode } from 'react'
import type { Act, Asked } from '#kit/call.ts'
import { Empty, Known } from '#kit/feedback.tsx'
import { Field, FormDrawer } from '#kit/form.tsx'
import { LongText } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import './lift/lift.css'

interface Entry {
  id: string
  files: readonly string[]
}

interface EntryBookProps<Row extends Entry> {
  title: string
  size?: number
  /** What is above the entries: what they count for, or how things stand now. */
  note?: ReactNode
  read: Asked & { data: { list: Row[] } | undefined }
  /** Where nothing was entered yet. */
  none: string
  /** What the papers of an entry are called. */
  paper: string
  /** What enters the next one, for whoever may. */
  add: ReactNode
  head: (row: Row, index: number) => ReactNode
  said: (row: Row) => readonly (string | null | undefined)[]
  /** Said after the words, before the papers. */
  beside?: (row: Row) => ReactNode
  /** What stands after the papers. */
  after?: (row: Row) => ReactNode
  /** The forms that are open above it. */
  children?: ReactNode
  onClose: () => void
}

/** What people enter of a machine or a site by hand, the newest first, each with its papers. */
export function EntryBook<Row extends Entry>(props: EntryBookProps<Row>) {
  const { title, size = 520, note, read, none, paper, add, head, said, beside, after, children, onClose } = props
  const list = read.data?.list ?? []
  return (
    <PageDrawer open size={size} title={title} onClose={onClose} extra={add}>
      {note && <p className="zg-2">{note}</p>}
      {list.length === 0 ? (
        <Known of={read}>
          <Empty text={none} />
        </Known>
      ) : (
        <ul className="lift-tests">
          {list.map((one, i) => (
            <li key={one.id}>
              {head(one, i)}
              <p className="zg-2">
                {said(one).filter(Boolean).join('，')}
                {beside?.(one)}
                {one.files.map((href, n) => (
                  <a key={href} href={href} target="_blank" rel="noreferrer">
                    　{paper} {n + 1}
                  </a>
                ))}
                {after?.(one)}
              </p>
            </li>
          ))}
        </ul>
      )}
      {children}
    </PageDrawer>
  )
}

interface Voided {
  params: { id: string }
  query: { projectCode: string }
  body: { reason: string }
}

interface VoidEntryProps {
  act: Act<Voided, unknown>
  entry: { id: string; projectCode: string }
  title: string
  remark: string
  /** What the reason is called, and what becomes of the entry. */
  label: string
  help?: string
  onClose: () => void
}

/** What was entered wrongly is taken out of the count, with a reason; the entry stays. */
export function VoidEntry({ act, entry, title, remark, label, help, onClose }: VoidEntryProps) {
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title={title}
      remark={remark}
      initial={{}}
      input={(body: Voided['body']) => ({ params: { id: entry.id }, query: { projectCode: entry.projectCode }, body })}
      onClose={onClose}
    >
      <Field name="reason" label={label} required help={help}>
        <LongText rows={2} maxLength={200} />
      </Field>
    </FormDrawer>
  )
}

import type { ReactNode } from 'react'
import type { Act, CallState } from '#kit/call.ts'
import { Empty, Known } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { fieldsOf } from '#kit/form-of.ts'
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
  /** Summary above the entries. */
  note?: ReactNode
  read: CallState & { data: { list: Row[] } | undefined }
  /** Shown while there are no entries. */
  none: string
  /** Label of an entry's attachments. */
  paper: string
  /** The button that adds an entry, for users who may. */
  add: ReactNode
  head: (row: Row, index: number) => ReactNode
  said: (row: Row) => readonly (string | null | undefined)[]
  /** Between the text and the attachments. */
  beside?: (row: Row) => ReactNode
  /** After the attachments. */
  after?: (row: Row) => ReactNode
  /** Open forms. */
  children?: ReactNode
  onClose: () => void
}

/** Manual entries about a machine or site, newest first, each with its attachments. */
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

const { Field } = fieldsOf<Voided['body']>()

interface VoidEntryProps {
  act: Act<Voided, unknown>
  entry: { id: string; projectCode: string }
  title: string
  remark: string
  /** Label of the reason, and what happens to the entry. */
  label: string
  help?: string
  onClose: () => void
}

/** Voids a wrong entry with a reason; it stays visible and is not counted. */
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

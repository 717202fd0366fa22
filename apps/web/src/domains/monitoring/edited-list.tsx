import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { ReactNode } from 'react'
import { Can } from '#kit/can.tsx'
import { Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import './family.css'

interface EditedListProps<Row> {
  read: { data?: { list: readonly Row[] } | undefined; isPending: boolean; error: Error | null; refetch: () => unknown }
  columns: readonly { title: string; value: (row: Row) => ReactNode }[]
  /** Shown while the list is empty. */
  hint: string
  /** The endpoint whose permission allows changing and removing. */
  change: Endpoint
  onEdit: (row: Row) => void
  onRemove: (row: Row) => void
}

/** A drawer with a short list of a site, and actions to change and remove its rows for permitted users. */
export function EditedList<Row extends { id: string }>({ read, columns, hint, change, onEdit, onRemove }: EditedListProps<Row>) {
  const rows = read.data?.list ?? []
  if (read.isPending) return <TableSkeleton rows={3} columns={columns.length} />
  if (read.error && !read.data) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (rows.length === 0) return <Empty hint={hint} />
  return (
    <table className="fam-table fam-kept">
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          <th scope="col">操作</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {columns.map(({ title, value }) => (
              <td key={title}>{value(row)}</td>
            ))}
            <td>
              <Can call={change}>
                <button type="button" className="zg-bare zg-link" onClick={() => onEdit(row)}>
                  修改
                </button>{' '}
                <button type="button" className="zg-bare zg-link zg-link-danger" onClick={() => onRemove(row)}>
                  删除
                </button>
              </Can>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

import { Button, Input } from 'antd'
import type { ReactNode } from 'react'
import { Empty, ErrorPanel, TableSkeleton } from './feedback.tsx'
import { PageShell } from './list-shell.tsx'

/** Shown by a detail page that was opened without an id: the user first picks an item by name. */
export function ChooseFirst<T>({
  thing,
  why,
  actions,
  hint,
  read,
  onSearch,
  line,
  verb,
  onChoose,
}: {
  /** Kind of item to choose: 项目, 人员. */
  thing: string
  why: string
  /** Actions in the title row. */
  actions?: ReactNode
  /** Shown when no item matches the name. */
  hint: string
  read: { data: { list: T[] } | undefined; error: unknown; refetch: () => unknown }
  onSearch: (name: string) => void
  /** How an item is listed: its name and a remark that distinguishes it from items of the same name. */
  line: (one: T) => { key: string; name: string; remark: ReactNode }
  verb: string
  onChoose: (one: T) => void
}) {
  return (
    <PageShell actions={actions}>
      <section className="zg-card" aria-label={`选择${thing}`}>
        <div className="zg-card-head">
          <h2>选择{thing}</h2>
          <span className="remark">{why}</span>
          <div className="right">
            <Input
              allowClear
              maxLength={50}
              placeholder={`搜索${thing}`}
              aria-label={`搜索${thing}`}
              className="zg-w-220"
              onChange={(event) => onSearch(event.target.value.trim())}
            />
          </div>
        </div>
        {read.error ? (
          <ErrorPanel error={read.error} retry={read.refetch} />
        ) : !read.data ? (
          <TableSkeleton rows={6} columns={3} />
        ) : read.data.list.length === 0 ? (
          <Empty hint={hint} />
        ) : (
          read.data.list.map((one) => {
            const { key, name, remark } = line(one)
            return (
              <div key={key} className="zg-pick">
                <div>
                  <strong>{name}</strong>
                  <div className="zg-2">{remark}</div>
                </div>
                <Button onClick={() => onChoose(one)}>{verb}</Button>
              </div>
            )
          })
        )}
      </section>
    </PageShell>
  )
}

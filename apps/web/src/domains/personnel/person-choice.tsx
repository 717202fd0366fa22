import { pickWorkers } from '@zhugong/contract/personnel/people'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'

/** A page of one person, opened without saying whom: choose first, never an error. */
export function PersonChoice({ why, onChoose }: { why: string; onChoose: (workerId: string) => void }) {
  const scope = useProjectScope()
  const [name, setName] = useState('')
  const read = useCall(
    pickWorkers,
    { query: { ...scope, page: 1, size: 50, name: name || undefined } },
    { quiet: true, keepPrevious: true },
  )
  return (
    <PageShell>
      <section className="zg-card" aria-label="选择人员">
        <div className="zg-card-head">
          <h2>选择人员</h2>
          <span className="remark">{why}</span>
          <div className="right">
            <Input
              allowClear
              maxLength={50}
              placeholder="姓名"
              aria-label="搜索姓名"
              style={{ width: 220 }}
              onChange={(event) => setName(event.target.value.trim())}
            />
          </div>
        </div>
        {read.error ? (
          <ErrorPanel error={read.error} retry={read.refetch} />
        ) : !read.data ? (
          <TableSkeleton rows={6} columns={3} />
        ) : read.data.list.length === 0 ? (
          <Empty hint="您的管辖范围内没有这样的在场人员" />
        ) : (
          read.data.list.map((p) => (
            <div key={p.projectWorkerId} className="zg-pick">
              <div>
                <strong>{p.name}</strong>
                <div className="zg-2">
                  {p.idCardNumber} · {p.teamName ?? '--'} · {p.workTypeName ?? '--'}
                </div>
              </div>
              <Button onClick={() => onChoose(p.workerId)}>选择</Button>
            </div>
          ))
        )}
      </section>
    </PageShell>
  )
}

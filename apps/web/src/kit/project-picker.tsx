import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useCall } from './call.ts'
import { Empty, ErrorPanel, TableSkeleton } from './feedback.tsx'
import { showFailure } from './http.ts'
import { PageShell } from './list-shell.tsx'
import { switchScope } from './me.ts'

/** A page of one project, opened while working for all of them: choose first, never an error. */
export function ProjectPicker({ why }: { why: string }) {
  const [name, setName] = useState('')
  const { data, error, isPending, refetch } = useCall(
    pickProjects,
    { query: { page: 1, size: 100, name: name || undefined } },
    { quiet: true, keepPrevious: true },
  )
  const enter = (projectCode: string, projectName: string) => void switchScope({ projectCode, projectName }).catch(showFailure)
  return (
    <PageShell>
      <section className="zg-card" aria-label="选择项目">
        <div className="zg-card-head">
          <h2>选择项目</h2>
          <span className="remark">{why}</span>
          <div className="right">
            <Input
              allowClear
              maxLength={50}
              placeholder="搜索项目"
              aria-label="搜索项目"
              style={{ width: 220 }}
              onChange={(event) => setName(event.target.value.trim())}
            />
          </div>
        </div>
        {isPending ? (
          <TableSkeleton rows={5} columns={3} />
        ) : error ? (
          <ErrorPanel error={error} retry={refetch} />
        ) : data.list.length === 0 ? (
          <Empty hint="您的管辖范围内没有这样的项目" />
        ) : (
          data.list.map((p) => (
            <div key={p.projectCode} className="zg-pick">
              <div>
                <strong>{p.name}</strong>
                <div className="zg-2">
                  {p.areaName} · {p.projectCode}
                </div>
              </div>
              <Button onClick={() => enter(p.projectCode, p.name)}>进入</Button>
            </div>
          ))
        )}
      </section>
    </PageShell>
  )
}

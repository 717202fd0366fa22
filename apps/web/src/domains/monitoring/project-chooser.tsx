import { deviceStatistics } from '@zhugong/contract/equipment/device-tools'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Empty, ErrorPanel, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { showFailure } from '#kit/http.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { switchScope } from '#kit/me.ts'

/** Live pages show one site. Whoever works for all of them chooses first; what hurts stands on top. */
export function ProjectChooser({ family, unit }: { family: string; unit: string }) {
  const { data, error, isPending, refetch } = useCall(
    deviceStatistics,
    { query: { projectCode: '*', groupBy: 'project,category' } },
    { quiet: true },
  )
  const [entering, setEntering] = useState<string>()
  const rows = (data?.groups ?? [])
    .filter((one) => one.family === family && one.projectCode && one.all > 0)
    .sort((a, b) => b.alarming - a.alarming || b.all - b.online - (a.all - a.online) || b.all - a.all)
  const enter = async (projectCode: string, projectName: string) => {
    setEntering(projectCode)
    try {
      await switchScope({ projectCode, projectName })
    } catch (failure) {
      showFailure(failure)
    } finally {
      setEntering(undefined)
    }
  }
  return (
    <PageShell>
      <section className="zg-card" aria-label="选择项目">
        <div className="zg-card-head">
          <h2>选择项目</h2>
          <span className="remark">实时画面一次看一个项目，有告警和离线的排在前面</span>
        </div>
        {isPending ? (
          <TableSkeleton rows={4} columns={4} />
        ) : error ? (
          <ErrorPanel error={error} retry={refetch} />
        ) : rows.length === 0 ? (
          <Empty hint={`可见的项目都没有登记${unit}`} />
        ) : (
          rows.map((one) => (
            <button
              key={one.projectCode}
              type="button"
              className="zg-bare mon-project"
              disabled={entering !== undefined}
              onClick={() => void enter(one.projectCode ?? '', one.projectName ?? '')}
            >
              <strong>{one.projectName}</strong>
              <span className="zg-2">
                {unit} {one.all} 台，在线 {one.online} 台
              </span>
              <span className="right">
                {one.alarming > 0 && <Tag tone="danger">{one.alarming} 台告警中</Tag>}
                {one.online < one.all && <Tag tone="neutral">{one.all - one.online} 台离线</Tag>}
                <span className="zg-link">{entering === one.projectCode ? '正在进入' : '进入'}</span>
              </span>
            </button>
          ))
        )}
      </section>
    </PageShell>
  )
}

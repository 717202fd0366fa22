import { alterTypes } from '@zhugong/contract/organisation/alter-types'
import { type AlterRow, fileAlter, listAlters } from '@zhugong/contract/organisation/project-alter'
import { fillProject } from '@zhugong/contract/organisation/projects'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCanAll } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs } from '#kit/feedback.tsx'
import { useGroupType } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { AlterForm } from './alter-form.tsx'
import { AlterState, alterPath } from './alter-words.tsx'
import { FenceCard } from './fence-drawer.tsx'

/** Companies that run the project and the site apply for changes; platform and authorities decide. */
export function useMayApply(): (projectCode: string) => boolean {
  const isApplicant = (useGroupType() ?? 0) >= 2
  const may = useCanAll()
  return (projectCode) => isApplicant && may(fileAlter, { projectCode })
}

/** Registered facts a site cannot edit (position, supervision, owner, contractor); changed by application. */
export function RegistrationDrawer({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const filled = useCall(fillProject, { params: { projectCode } }, { quiet: true, staleMs: 0 })
  const mayApply = useMayApply()
  const [applying, setApplying] = useState(false)
  const p = filled.data
  if (applying) return <AlterForm projectCode={projectCode} type={alterTypes.place} onClose={() => setApplying(false)} />
  return (
    <PageDrawer open size={720} title="项目登记" onClose={onClose}>
      {filled.error && <ErrorPanel error={filled.error} retry={filled.refetch} />}
      {!filled.error && !p && <DetailSkeleton />}
      {p && (
        <Card
          title={p.name}
          remark="由监管机构核定"
          actions={mayApply(projectCode) && <Button onClick={() => setApplying(true)}>申请变更</Button>}
        >
          <Pairs
            items={[
              { label: '项目所在地', value: p.areaName },
              { label: '监督机构', value: p.superviseOrgName },
              { label: '建设单位', value: p.buildCorpName },
              { label: '总承包单位', value: p.contractorCorpName },
            ]}
          />
        </Card>
      )}
      <div className="zg-above-12">
        <FenceCard projectCode={projectCode} />
      </div>
      <ChangeCards projectCode={projectCode} />
    </PageDrawer>
  )
}

/** Applications of one project, or of all visible ones; waiting ones first. */
export function ChangesDrawer({ projectCode, onClose }: { projectCode?: string; onClose: () => void }) {
  return (
    <PageDrawer open size={720} title="项目变更申请" onClose={onClose}>
      <ChangeCards projectCode={projectCode} />
    </PageDrawer>
  )
}

const shownChanges = 50

export function ChangeCards({ projectCode }: { projectCode?: string | undefined }) {
  const changes = useCall(
    listAlters,
    { query: { projectCode: projectCode ?? '*', page: 1, size: shownChanges } },
    { quiet: true, staleMs: 0 },
  )
  if (changes.error) return <ErrorPanel error={changes.error} retry={changes.refetch} />
  if (!changes.data) return <DetailSkeleton />
  if (changes.data.list.length === 0) return <Empty text="没有项目变更申请" />
  return (
    <div className={`zg-stack-12 ${projectCode ? 'zg-above-12' : ''}`}>
      {changes.data.total > shownChanges && <Notice tone="info">只显示最近 {shownChanges} 项</Notice>}
      {changes.data.list.map((row) => (
        <ChangeCard key={row.id} row={row} />
      ))}
    </div>
  )
}

function ChangeCard({ row }: { row: AlterRow }) {
  return (
    <Card
      title={row.projectName}
      remark={<AlterState row={row} />}
      actions={<Link to={hrefOf(alterPath, { id: row.id })}>{row.waits ? '办理' : '查看'}</Link>}
    >
      <Pairs
        items={[
          { label: row.typeName, value: row.summary, wide: true },
          { label: '申请', value: `${row.applicant}，${row.createTime}`, wide: true },
          ...(row.node ? [{ label: '当前节点', value: row.node }] : []),
        ]}
      />
    </Card>
  )
}

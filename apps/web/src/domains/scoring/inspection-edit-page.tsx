import { groupTypes } from '@zhugong/contract/access/group-types'
import { getInspection } from '@zhugong/contract/scoring/inspections'
import { scoringState } from '@zhugong/contract/scoring/moves'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectCode } from '#kit/me.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { ScoringDesk } from './scoring-desk.tsx'
import { NewTask } from './task-form.tsx'
import './scoring.css'

/** A team of two to five scores a site: `?id=` goes on with an inspection, without it one is begun. */
export default function InspectionEditPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  const isSite = useGroupType() === groupTypes.project
  if (id) return <Running key={id} id={id} />
  if (isSite) return <NotForSites />
  if (projectCode === '*') return <ProjectPicker why="巡检哪个项目" />
  return <NewTask key={projectCode} projectCode={projectCode} />
}

function NotForSites() {
  const go = useGo()
  return (
    <PageShell>
      <Empty text="安全巡检由企业、监理等对本项目评分" hint="提交后的巡检在列表中查看和签字">
        <Button onClick={() => go('/safetyInspection/list')}>去安全巡检</Button>
      </Empty>
    </PageShell>
  )
}

function Running({ id }: { id: string }) {
  const go = useGo()
  const read = useCall(getInspection, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  if (read.error)
    return (
      <PageShell>
        <ErrorPanel error={read.error} retry={read.refetch} />
      </PageShell>
    )
  if (!file)
    return (
      <PageShell>
        <DetailSkeleton />
      </PageShell>
    )
  if (file.state !== scoringState)
    return (
      <PageShell>
        <Empty text="这次巡检已经提交，得分已冻结" hint={file.code ?? ''}>
          <Button onClick={() => go('/safetyInspection/details', { id })}>查看结果</Button>
        </Empty>
      </PageShell>
    )
  return <ScoringDesk file={file} />
}

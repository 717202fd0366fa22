import { PlusOutlined } from '@ant-design/icons'
import { turned } from '@zhugong/contract/kit/enable'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { pickGovernments } from '@zhugong/contract/organisation/governments'
import { type ProjectAction, type ProjectRow, projectActions } from '@zhugong/contract/organisation/model'
import {
  assignSupervisor,
  changeProjectState,
  createProjectFast,
  listStateApplies,
  projectCounts,
  projectList,
  removeProject,
  switchProjectStatus,
} from '@zhugong/contract/organisation/projects'
import { createStop } from '@zhugong/contract/stops/calls'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { switchAction } from '#kit/enable.tsx'
import { showFailure } from '#kit/http.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { switchScope } from '#kit/me.ts'
import { useGo, usePage } from '#kit/page.tsx'
import { CompleteDrawer } from './complete-drawer.tsx'
import { FastDrawer } from './fast-drawer.tsx'
import { FenceDrawer } from './fence-drawer.tsx'
import { AreaProgress, BriefDrawer } from './project-brief.tsx'
import { ChangesDrawer, RegistrationDrawer, useMayApply } from './project-changes.tsx'
import './organisation.css'
import { AssignDrawer } from './assign-drawer.tsx'
import { LackingModal } from './lacking-modal.tsx'
import { ProjectChips } from './project-chips.tsx'
import { useProjectColumns } from './project-columns.tsx'
import { ProjectMap } from './project-map.tsx'
import { StateAppliesDrawer } from './state-applies.tsx'
import { useProjectMoves } from './use-project-moves.ts'

/** Projects of the area: state, supervising body, and problems of their files. */
export default function ProjectListPage() {
  const go = useGo()
  const page = usePage()
  const list = useListPage(projectList, { defaultSort: '-createTime' })
  const counts = useCall(projectCounts, {}, { quiet: true })
  const governments = useCall(pickGovernments, { query: {} }, { quiet: true })
  const governmentOptions = (governments.data?.list ?? []).map((g) => ({ value: g.code, label: g.name }))
  const [shown, setShown] = useState<'list' | 'map' | 'progress'>('list')
  const [creating, setCreating] = useState(false)
  const [assigning, setAssigning] = useState<{ rows: readonly ProjectRow[]; clear: () => void }>()
  const [completing, setCompleting] = useState<ProjectRow>()
  const [registered, setRegistered] = useState<ProjectRow>()
  const [briefed, setBriefed] = useState<ProjectRow>()
  const [fenced, setFenced] = useState<ProjectRow>()
  const [showsChanges, setShowsChanges] = useState(false)
  const mayApply = useMayApply()
  const { change, lacking, setLacking } = useProjectMoves()
  const applies = useCall(listStateApplies, { query: { size: 1 } }, { quiet: true })
  const [showsApplies, setShowsApplies] = useState(false)
  const toggle = useAct(switchProjectStatus, { success: '已办理' })
  const remove = useAct(removeProject, { success: '项目已删除' })

  const drop = (row: ProjectRow) =>
    remove.afterRequesting(
      {
        thing: `删除 ${row.name}`,
        consequence: '只有筹备中且没有人员、设备的项目可以删除，不能恢复。',
        verb: '删除项目',
        keep: '保留',
        typeName: row.name,
        typeLabel: '输入项目名称确认',
      },
      { params: { projectCode: row.projectCode } },
    )
  const enter = (row: ProjectRow) =>
    void switchScope({ projectCode: row.projectCode, projectName: row.name })
      .then((entered) => entered && go('/main'))
      .catch(showFailure)

  const columns = useProjectColumns(governmentOptions, enter)

  return (
    <ListShell
      titleActions={
        <Segmented
          value={shown}
          options={[
            { value: 'list' as const, label: '列表' },
            { value: 'map' as const, label: '地图' },
            { value: 'progress' as const, label: '进度' },
          ]}
          onChange={setShown}
        />
      }
      actions={
        <>
          <Button onClick={() => setShowsChanges(true)}>登记变更申请</Button>
          <Button onClick={() => setShowsApplies(true)}>状态申请{applies.data?.waiting ? `（${applies.data.waiting} 项待审）` : ''}</Button>
          <Can call={createProjectFast}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
              快速建项
            </Button>
          </Can>
        </>
      }
      above={<ProjectChips counts={counts.data} chosen={list.filters.chip} choose={(chip) => list.setFilter('chip', chip)} />}
    >
      {shown === 'map' && page.active && <ProjectMap list={list.rows} total={list.total} enter={enter} />}
      {shown === 'progress' && page.active && (
        <AreaProgress
          onArea={(areaCode) => {
            setShown('list')
            list.setFilter('areaCode', areaCode)
          }}
        />
      )}
      {shown === 'list' && (
        <DataTable
          list={list}
          columns={columns}
          rowKey="projectCode"
          unit="个"
          search={{ key: 'q', placeholder: '项目名称或完整编码' }}
          selection={{
            unit: '个',
            actions: (rows, clear) => (
              <Can call={assignSupervisor}>
                <Button size="small" onClick={() => setAssigning({ rows, clear })}>
                  指派监督机构
                </Button>
              </Can>
            ),
          }}
          actions={(p) => [
            { label: '进入', onClick: () => enter(p) },
            { label: mayApply(p.projectCode) ? '申请变更' : '项目登记', onClick: () => setRegistered(p) },
            { label: '概况', onClick: () => setBriefed(p) },
            { label: '电子围栏', onClick: () => setFenced(p) },
            ...(p.actions as ProjectAction[]).map((action) => ({
              label: projectActions[action].name,
              needs: changeProjectState,
              onClick: () => change(p, action),
            })),
            { label: '停复工申请', needs: createStop, href: '/jgt/stopapply' },
            { label: '指派监督机构', needs: assignSupervisor, onClick: () => setAssigning({ rows: [p], clear: () => undefined }) },
            switchAction({
              enable: p.enable,
              needs: switchProjectStatus,
              question: {
                thing: `停用 ${p.name}`,
                consequence: '项目账号立即退出且不能登录；门禁和设备照常上报和保存。',
                verb: '停用项目',
                keep: '不变',
              },
              run: () => toggle.run({ body: { projectCode: p.projectCode, status: turned(p.enable) } }),
            }),
            p.prjStatus === projectStates.planned && { label: '删除', danger: true, needs: removeProject, onClick: () => drop(p) },
          ]}
        />
      )}
      {creating && <FastDrawer onClose={() => setCreating(false)} />}
      {assigning && (
        <AssignDrawer rows={assigning.rows} options={governmentOptions} onClose={() => setAssigning(undefined)} onDone={assigning.clear} />
      )}
      {registered && <RegistrationDrawer projectCode={registered.projectCode} onClose={() => setRegistered(undefined)} />}
      {briefed && <BriefDrawer projectCode={briefed.projectCode} onClose={() => setBriefed(undefined)} />}
      {fenced && <FenceDrawer projectCode={fenced.projectCode} onClose={() => setFenced(undefined)} />}
      {showsApplies && <StateAppliesDrawer onClose={() => setShowsApplies(false)} />}
      {showsChanges && <ChangesDrawer onClose={() => setShowsChanges(false)} />}
      {completing && <CompleteDrawer projectCode={completing.projectCode} onClose={() => setCompleting(undefined)} onDone={list.refresh} />}
      <LackingModal
        lacking={lacking}
        onClose={() => setLacking(undefined)}
        onComplete={(row) => {
          setCompleting(row)
          setLacking(undefined)
        }}
      />
    </ListShell>
  )
}

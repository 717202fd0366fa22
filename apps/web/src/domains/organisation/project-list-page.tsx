import { PlusOutlined } from '@ant-design/icons'
import { isOn, turned } from '@zhugong/contract/kit/enable'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { pickGovernments } from '@zhugong/contract/organisation/governments'
import { type ProjectAction, type ProjectRow, projectActions } from '@zhugong/contract/organisation/model'
import {
  assignSupervisor,
  changeProjectState,
  createProjectFast,
  fillProject,
  listStateApplies,
  projectCounts,
  projectList,
  removeProject,
  switchProjectStatus,
} from '@zhugong/contract/organisation/projects'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { call, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { Tag } from '#kit/feedback.tsx'
import { day, thousands } from '#kit/format.ts'
import { showFailure } from '#kit/http.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { switchScope, useGroupType } from '#kit/me.ts'
import { PageModal } from '#kit/overlay.tsx'
import { useGo, usePage } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { CompleteDrawer } from './complete-drawer.tsx'
import { FastDrawer } from './fast-drawer.tsx'
import { FenceDrawer } from './fence-drawer.tsx'
import { AreaProgress, BriefDrawer } from './project-brief.tsx'
import { ChangesDrawer, RegistrationDrawer, useMayApply } from './project-changes.tsx'
import { stateTones } from './project-words.ts'
import './organisation.css'
import { AssignDrawer } from './assign-drawer.tsx'
import { ProjectMap } from './project-map.tsx'
import { StateAppliesDrawer } from './state-applies.tsx'

/** Of what a start lacks, what stands in the project's own file; the rest are units that register with the project. */
const inFile: ReadonlySet<string> = new Set(['施工许可证', '监督登记号'])

const chips = [
  ['', '全部', 'total'],
  ['building', '在建', 'building'],
  ['stopped', '停工', 'stopped'],
  ['toStart', '待开工确认', 'toStart'],
  ['noSuperviseNo', '无监督登记', 'noSuperviseNo'],
  ['noFence', '无电子围栏', 'noFence'],
  ['silent', '7 日无考勤', 'silent'],
] as const

/** What is being built in the area, in which state, supervised by whom, and what is wrong with its file. */
export default function ProjectListPage() {
  const go = useGo()
  const page = usePage()
  const dicts = useDicts('projectCategory', 'projectState', 'projectPhase')
  const list = useListPage(projectList, { defaultSort: '-createTime' })
  const counts = useCall(projectCounts, {}, { quiet: true })
  const governments = useCall(pickGovernments, { query: {} }, { quiet: true })
  const [shown, setShown] = useState<'list' | 'map' | 'progress'>('list')
  const [creating, setCreating] = useState(false)
  const [assigning, setAssigning] = useState<{ rows: readonly ProjectRow[]; clear: () => void }>()
  const [completing, setCompleting] = useState<ProjectRow>()
  const [registered, setRegistered] = useState<ProjectRow>()
  const [briefed, setBriefed] = useState<ProjectRow>()
  const [fenced, setFenced] = useState<ProjectRow>()
  const [showsChanges, setShowsChanges] = useState(false)
  const mayApply = useMayApply()
  // What is registered is not the site's own to write; no site opens projects.
  const isSite = useGroupType() === 3
  const [lacking, setLacking] = useState<{ row: ProjectRow; missing: readonly string[] }>()
  const state = useAct(changeProjectState, {
    success: ({ waiting }) => (waiting ? '已提交申请，等待监管机构审定' : '项目状态已变更'),
  })
  const applies = useCall(listStateApplies, { query: { size: 1 } }, { quiet: true })
  const [showsApplies, setShowsApplies] = useState(false)
  const toggle = useAct(switchProjectStatus, { success: '已办理' })
  const remove = useAct(removeProject, { success: '项目已删除' })
  const c = counts.data

  const change = async (row: ProjectRow, action: ProjectAction) => {
    const { name, needsReason } = projectActions[action]
    if (action === 'start') {
      // What is missing is shown with the way to mend it, instead of a refusal at the end.
      try {
        const full = await call(fillProject, { params: { projectCode: row.projectCode } })
        if (full.missingForStart.length) return setLacking({ row, missing: full.missingForStart })
      } catch (error) {
        return showFailure(error)
      }
    }
    const reason = needsReason ? await askReason(`${name}：${row.name}`, '原因（至少 5 个字）') : ''
    if (needsReason && !reason) return
    if (!needsReason) {
      const yes = await confirmDanger({ thing: `${name}：${row.name}`, consequence: consequences[action], verb: name, keep: '不变' })
      if (!yes) return
    }
    await state.run({ body: { projectCode: row.projectCode, action, reason: reason ?? '', version: row.version } })
  }
  const drop = (row: ProjectRow) =>
    remove.afterAsking(
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

  const columns: ColumnOf<typeof projectList>[] = [
    {
      key: 'name',
      width: 200,
      locked: true,
      sort: true,
      filter: 'text',
      value: (p) => (
        <>
          <button type="button" className="zg-bare zg-link" onClick={() => enter(p)}>
            {p.name}
          </button>{' '}
          {!isOn(p.enable) && <Tag>已停用</Tag>}
        </>
      ),
    },
    {
      key: 'prjStatus',
      width: 76,
      filter: 'multi',
      options: dicts.options('projectState'),
      value: (p) => (
        <Tag tone={stateTones[p.prjStatus] ?? 'neutral'} icon={false}>
          {p.prjStatusName}
        </Tag>
      ),
    },
    { key: 'areaCode', width: 84, filter: 'area-cascader', value: (p) => p.areaName },
    {
      key: 'category',
      width: 100,
      filter: 'multi',
      options: dicts.options('projectCategory'),
      value: (p) => p.categoryName,
    },
    {
      key: 'superviseOrg',
      width: 150,
      filter: 'multi',
      options: (governments.data?.list ?? []).map((g) => ({ value: g.code, label: g.name })),
      value: (p) => p.superviseOrgName ?? <span className="tone-warning">未指派</span>,
    },
    {
      key: 'superviseNo',
      width: 116,
      filter: 'checkbox-empty',
      options: [],
      value: (p) => p.superviseNo ?? <span className="tone-warning">未登记</span>,
    },
    { key: 'contractorCorpName', width: 146, filter: 'text', value: (p) => p.contractorCorpName },
    { key: 'onSite', width: 72, align: 'right', sort: true, value: (p) => thousands(p.onSite) },
    {
      key: 'openAlarms',
      width: 108,
      align: 'right',
      sort: true,
      value: (p) => (p.openAlarms ? <span className="tone-danger">{p.openAlarms}</span> : 0),
    },
    { key: 'projectCode', width: 168, hidden: true, filter: 'text', value: (p) => p.projectCode },
    { key: 'buildCorpName', width: 180, hidden: true, filter: 'text', value: (p) => p.buildCorpName },
    {
      key: 'buildingArea',
      width: 100,
      hidden: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (p) => thousands(p.buildingArea),
    },
    {
      key: 'invest',
      width: 110,
      hidden: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (p) => thousands(p.invest),
    },
    {
      key: 'phase',
      width: 110,
      hidden: true,
      filter: 'multi',
      options: dicts.options('projectPhase'),
      value: (p) => p.phaseName,
    },
    { key: 'startDate', width: 104, hidden: true, sort: true, filter: 'date-range', value: (p) => day(p.startDate) },
    {
      key: 'completeDate',
      width: 104,
      hidden: true,
      sort: true,
      filter: 'date-range',
      value: (p) => day(p.completeDate),
    },
    {
      key: 'enable',
      width: 72,
      hidden: true,
      filter: 'single',
      options: enableOptions,
      value: (p) => <EnableTag enable={p.enable} />,
    },
  ]

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
      above={
        <div className="org-chips" role="tablist" aria-label="项目分组">
          {chips.map(([value, label, key]) => {
            const on = (list.filters.chip ?? '') === value
            const count = c?.[key]
            const wrong = ['noSuperviseNo', 'noFence', 'silent', 'stopped'].includes(value) && Boolean(count)
            return (
              <button
                key={label}
                type="button"
                role="tab"
                aria-selected={on}
                className={`zg-bare ${on ? 'on' : ''}`}
                onClick={() => list.setFilter('chip', value || undefined)}
              >
                {label} <b className={wrong ? 'tone-danger' : ''}>{count ?? '--'}</b>
              </button>
            )
          })}
        </div>
      }
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
              danger: action === 'stop' || action === 'endSupervision',
              onClick: () => change(p, action),
            })),
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
        <AssignDrawer
          rows={assigning.rows}
          options={(governments.data?.list ?? []).map((g) => ({ value: g.code, label: g.name }))}
          onClose={() => setAssigning(undefined)}
          onDone={assigning.clear}
        />
      )}
      {registered && <RegistrationDrawer projectCode={registered.projectCode} onClose={() => setRegistered(undefined)} />}
      {briefed && <BriefDrawer projectCode={briefed.projectCode} onClose={() => setBriefed(undefined)} />}
      {fenced && <FenceDrawer projectCode={fenced.projectCode} onClose={() => setFenced(undefined)} />}
      {showsApplies && <StateAppliesDrawer onClose={() => setShowsApplies(false)} />}
      {showsChanges && <ChangesDrawer onClose={() => setShowsChanges(false)} />}
      {completing && <CompleteDrawer projectCode={completing.projectCode} onClose={() => setCompleting(undefined)} onDone={list.refresh} />}
      <PageModal
        open={lacking !== undefined}
        width={440}
        title="还不能确认开工"
        footer={
          <>
            <Button onClick={() => setLacking(undefined)}>知道了</Button>
            {lacking?.missing.some((m) => inFile.has(m)) && (
              <Can
                code={isSite ? 'project.create' : 'project.edit'}
                fallback={<span className="zg-2"> 登记信息由企业或监管机构补齐，项目部在“信息设置”中申请</span>}
              >
                <Button
                  type="primary"
                  onClick={() => {
                    setCompleting(lacking.row)
                    setLacking(undefined)
                  }}
                >
                  去补齐
                </Button>
              </Can>
            )}
          </>
        }
        onCancel={() => setLacking(undefined)}
      >
        {lacking && (
          <>
            <div className="zg-below">{lacking.row.name} 还缺：</div>
            <ul className="org-missing">
              {lacking.missing.map((m) => (
                <li key={m}>
                  {m}
                  {inFile.has(m) ? null : <span className="zg-2">由项目部登记为参建单位</span>}
                </li>
              ))}
            </ul>
          </>
        )}
      </PageModal>
    </ListShell>
  )
}

const consequences: Record<ProjectAction, string> = {
  approve: '立项后可以补齐许可证和五方单位，再确认开工。',
  start: '项目转为在建，开始考勤考核和监督计划。',
  stop: '',
  resume: '',
  complete: '须全部班组已退场；确认后停止考勤考核。',
  accept: '登记竣工验收，项目转为竣工。',
  endSupervision: '',
  rework: '',
}

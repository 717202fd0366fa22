import { PlusOutlined } from '@ant-design/icons'
import { changePlan, createPlan, generatePlans, listPlans, type PlanRow, planList } from '@zhugong/contract/plans/calls'
import { planStates } from '@zhugong/contract/plans/moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { call, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { useEach } from '#kit/each.ts'
import { FigureStrip, RiskBadge, Tag, type Tone } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { useIsRegulator } from '../daychecks/public.tsx'
import { Generator } from './generator.tsx'
import { PlanMatrix } from './plan-matrix.tsx'
import './plans.css'

const path = '/jgt/checkplan'
type View = 'list' | 'matrix' | 'unplanned'

/** Which projects have no valid plan, which visits fall due or were missed? */
export default function PlanListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const regulates = useIsRegulator()
  const mayApprove = useCan(changePlan)
  const [view, setView] = useState<View>('list')
  const [generating, setGenerating] = useState(false)
  const list = useListPage(planList, { scope, defaultSort: '-urgency', tabs: ['tab'] })
  const { data } = useCall(listPlans, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const each = useEach('份', () => undefined)
  const columns = useColumns(regulates).filter((column) => !(column.key === 'projectName' && oneProject))
  const approve = (rows: readonly PlanRow[], clear: () => void) =>
    each
      .run(rows, '通过', ({ id, version }) =>
        call(changePlan, { params: { id }, query: { projectCode: '*' }, body: { action: 'approve', version, opinion: '' } }),
      )
      .then(clear)
  const reject = async (rows: readonly PlanRow[], clear: () => void) => {
    const opinion = await askReason(`退回 ${rows.length} 份监督计划`, '退回意见')
    if (!opinion) return
    await each.run(rows, '退回', ({ id, version }) =>
      call(changePlan, { params: { id }, query: { projectCode: '*' }, body: { action: 'reject', version, opinion } }),
    )
    clear()
  }
  const rate = counts && counts.monthDue > 0 ? Math.round((counts.monthDone / counts.monthDue) * 100) : null
  return (
    <ListShell
      actions={
        <>
          <Can call={createPlan}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => go(`${path}/edit`)}>
              新建计划
            </Button>
          </Can>
          <Can call={generatePlans}>
            <Button onClick={() => setGenerating(true)}>按风险等级生成</Button>
          </Can>
        </>
      }
      strip={
        regulates && (
          <FigureStrip
            loading={!counts}
            items={[
              { label: '在监项目', value: thousands(counts?.building), unit: '个' },
              { label: '无有效计划', value: thousands(counts?.unplanned), unit: '个', tone: counts?.unplanned ? 'danger' : undefined },
              { label: '本月应检', value: thousands(counts?.monthDue), unit: '次', remark: rate === null ? undefined : `完成率 ${rate}%` },
              {
                label: '有漏检的计划',
                value: thousands(counts?.missed),
                unit: '份',
                href: `${path}?tab=missed`,
                tone: counts?.missed ? 'danger' : undefined,
              },
            ]}
          />
        )
      }
      above={
        regulates && (
          <Segmented
            aria-label="视图"
            options={[
              { value: 'list', label: '计划列表' },
              { value: 'matrix', label: '年度矩阵' },
              { value: 'unplanned', label: '无计划项目' },
            ]}
            value={view}
            onChange={(next) => setView(next as View)}
          />
        )
      }
    >
      {view === 'list' ? (
        <DataTable
          list={list}
          columns={columns}
          unit="份"
          search={{ key: 'title', placeholder: '计划名称' }}
          toolbar={
            regulates && (
              <Segmented
                options={[
                  { value: '', label: '全部' },
                  { value: 'mine', label: '我的' },
                  { value: 'valid', label: '执行中' },
                  { value: 'missed', label: '有漏检' },
                ]}
                value={list.filters.tab ?? ''}
                onChange={(tab) => list.setFilter('tab', tab || undefined)}
              />
            )
          }
          selection={
            mayApprove && regulates
              ? {
                  unit: '份',
                  disabled: (row) => row.state !== planStates.waiting,
                  actions: (rows, clear) => (
                    <>
                      <Button loading={each.running} onClick={() => void approve(rows, clear)}>
                        批量通过
                      </Button>
                      <Button danger loading={each.running} onClick={() => void reject(rows, clear)}>
                        批量退回
                      </Button>
                    </>
                  ),
                }
              : undefined
          }
          onRow={(row) => go(`${path}/details`, { id: row.id })}
          emptyHint={regulates ? '从“新建计划”或“按风险等级生成”开始' : '监督机构发布计划后列在这里'}
          actions={(row) => [
            { label: '查看', href: hrefOf(`${path}/details`, { id: row.id }) },
            ...(regulates && row.nextVisitId && (row.state === planStates.published || row.state === planStates.running)
              ? [{ label: '安排检查', href: arrangeHref(row) }]
              : []),
          ]}
        />
      ) : (
        <PlanMatrix key={view} projectCode={scope.projectCode} unplanned={view === 'unplanned'} />
      )}
      {generating && <Generator projectCode={scope.projectCode} onClose={() => setGenerating(false)} />}
    </ListShell>
  )
}

const arrangeHref = ({ id, projectCode, nextVisitId, discipline }: PlanRow) =>
  hrefOf('/jgt/daycheck/edit', { projectCode, planId: id, taskId: nextVisitId ?? '', discipline })

const tones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'warning',
  2: 'danger',
  3: 'fine',
  4: 'running',
  5: 'fine',
  6: 'neutral',
}
export const PlanStateTag = ({ row }: { row: Pick<PlanRow, 'state' | 'stateName'> }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>

function useColumns(regulates: boolean): ColumnOf<typeof planList>[] {
  const dicts = useDicts('checkDiscipline', 'checkPlanState', 'riskLevel')
  const all: ColumnOf<typeof planList>[] = [
    { key: 'code', width: 200, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">未编号</span> },
    { key: 'projectName', width: 180, keeps: true, value: (r) => r.projectName },
    { key: 'title', width: 220, weak: true, filter: 'text', value: (r) => r.title },
    {
      key: 'riskLevel',
      width: 110,
      keeps: true,
      sort: true,
      filter: 'multi',
      options: dicts.options('riskLevel'),
      value: (r) => <RiskBadge level={r.riskLevel} />,
    },
    {
      key: 'discipline',
      width: 80,
      filter: 'single',
      options: dicts.options('checkDiscipline'),
      value: (r) => r.disciplineName,
    },
    { key: 'year', width: 70, weak: true, filter: 'text', value: (r) => r.year },
    { key: 'supervisors', width: 140, filter: 'text', value: (r) => r.supervisors.join('、') },
    { key: 'startDate', width: 190, weak: true, sort: true, filter: 'date-range', value: (r) => `${r.startDate} 至 ${r.endDate}` },
    {
      key: 'doneCount',
      width: 120,
      keeps: true,
      filter: 'numeric-range',
      value: (r) =>
        r.planCount ? (
          <>
            {r.doneCount} / {r.planCount} {r.missedCount ? <Tag tone="danger">漏 {r.missedCount}</Tag> : null}
          </>
        ) : (
          '--'
        ),
    },
    {
      key: 'nextWindow',
      width: 120,
      sort: true,
      filter: 'date-range',
      value: (r) => (r.paused ? <Tag tone="maintenance">停工</Tag> : (r.nextWindow ?? '--')),
    },
    {
      key: 'state',
      width: 100,
      keeps: true,
      filter: 'multi',
      options: dicts.options('checkPlanState'),
      value: (r) => <PlanStateTag row={r} />,
    },
  ]
  const secret = ['riskLevel', 'doneCount', 'nextWindow']
  return regulates ? all : all.filter(({ key }) => !secret.includes(key))
}

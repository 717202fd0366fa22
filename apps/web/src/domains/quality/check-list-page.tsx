import { CameraOutlined } from '@ant-design/icons'
import { createImprovement } from '@zhugong/contract/quality/improvement'
import { createQualityCheck, listQualityChecks, type QualityRow, qualityList } from '@zhugong/contract/quality/inspection'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { measure, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Deadline, StateTag } from '../checks/public.tsx'
import { usePlaceFilter } from '../places/public.tsx'
import { ConclusionTag, improvementPaths, checkPaths as paths } from './quality-words.tsx'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'own', label: '我检查的' },
  { value: 'open', label: '未闭合' },
]

/** Which defects of which part and process are open, which come again and again? One row is one check. */
export default function QualityListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(qualityList, { scope, defaultSort: '-overdueDays', tabs: ['tab'] })
  const { data } = useCall(listQualityChecks, { query: { ...scope, size: 1 } }, { quiet: true })
  const columns = useColumns()
  const mayImprove = useCan(createImprovement)
  const counts = data?.counts
  const top = counts?.topProblem
  return (
    <ListShell
      actions={
        <Can call={createQualityCheck}>
          <Button type="primary" icon={<CameraOutlined />} onClick={() => go(paths.add)}>
            新增检查
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '未闭合', value: thousands(counts?.open), unit: '次', href: `${paths.list}?tab=open` },
            {
              label: '逾期',
              value: thousands(counts?.overdue),
              unit: '次',
              tone: counts?.overdue ? 'danger' : undefined,
              href: `${paths.list}?overdue=true`,
            },
            { label: '一次合格率', value: measure(counts?.rightRate, 1), unit: '%', remark: '近 90 天检查项' },
            {
              label: '高频通病',
              value: top?.name ?? '--',
              remark: top ? `${top.count} 个，涉及 ${top.checks} 次检查` : undefined,
              href: top ? hrefOf(paths.list, { qualityProblem: top.code, checkTime: `${top.from},` }) : undefined,
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        search={{ key: 'problem', placeholder: '问题' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        selection={
          mayImprove
            ? {
                unit: '次',
                disabled: (row) => row.qualityProblems.length === 0 || row.state === draft,
                actions: (rows) => <IntoImprovement rows={rows} />,
              }
            : undefined
        }
        onRow={(row) => go(...pageOf(row))}
        emptyHint="还没有质量检查：到部位逐项检查，合格也请提交，作为已检查的记录"
        filterWords={{
          overdue: { title: '逾期', words: { true: '已逾期' } },
          today: { title: '检查时间', words: { true: '今天' } },
        }}
        actions={(row) => [{ label: row.state === draft ? '继续填写' : '查看', href: hrefOf(...pageOf(row)) }]}
      />
    </ListShell>
  )
}

const draft = '0'
const pageOf = ({ id, state }: QualityRow): [string, { id: string }] => [state === draft ? paths.add : paths.detail, { id }]

/** Several checks of one defect on one site become the findings of an improvement. */
function IntoImprovement({ rows }: { rows: readonly QualityRow[] }) {
  const go = useGo()
  const common = rows.reduce<string[]>(
    (left, row) => left.filter((one) => row.qualityProblems.includes(one)),
    [...(rows[0]?.qualityProblems ?? [])],
  )
  const oneSite = new Set(rows.map((row) => row.projectCode)).size === 1
  const why = !oneSite ? '请选择同一项目的检查' : common.length === 0 ? '所选检查没有共同的通病' : undefined
  return (
    <Button
      disabled={why !== undefined}
      title={why}
      onClick={() =>
        go(improvementPaths.form, { projectCode: rows[0]?.projectCode, problem: common[0], checks: rows.map((one) => one.code).join(',') })
      }
    >
      生成改进单
    </Button>
  )
}

function useColumns(): ColumnOf<typeof qualityList>[] {
  const dicts = useDicts('inspectType', 'qualityCheckItem', 'qualityProblem', 'checkResult', 'rectifyState')
  const projectCode = useProjectCode()
  const oneProject = projectCode !== '*'
  const places = usePlaceFilter(projectCode)
  const own = dicts.options('inspectType').filter((one) => ownTypes.includes(one.value))
  const all: ColumnOf<typeof qualityList>[] = [
    { key: 'code', width: 190, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    {
      key: 'itemNames',
      width: 170,
      keeps: true,
      filter: 'tree-cascader',
      filterKey: 'items',
      tree: dicts.tree('qualityCheckItem'),
      value: (r) => r.itemNames.join('、'),
    },
    {
      key: 'qualityProblemNames',
      width: 150,
      keeps: true,
      filter: 'multi',
      filterKey: 'qualityProblem',
      options: dicts.options('qualityProblem'),
      value: (r) => r.qualityProblemNames.join('、') || <span className="zg-2">未发现</span>,
    },
    { key: 'state', width: 144, keeps: true, filter: 'multi', options: dicts.options('rectifyState'), value: (r) => <StateTag row={r} /> },
    { key: 'part', width: 170, filter: 'text', value: (r) => r.part },
    {
      key: 'placeNames',
      width: 170,
      filter: places && 'tree-cascader',
      filterKey: 'place',
      tree: places,
      value: (r) => r.placeNames.join('、'),
    },
    { key: 'checkTime', width: 140, sort: true, filter: 'date-range', value: (r) => r.checkTime.slice(0, 16) },
    { key: 'inspectType', width: 96, weak: true, filter: 'multi', options: own, value: (r) => r.inspectTypeName },
    {
      key: 'problemCount',
      width: 84,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.problemCount === 0 ? null : `${r.passedCount} / ${r.problemCount}`),
    },
    { key: 'corpNames', width: 170, filter: 'text', filterKey: 'corpName', value: (r) => r.corpNames.join('、') },
    { key: 'persons', width: 96, filter: 'text', filterKey: 'person', value: (r) => r.persons.join('、') },
    { key: 'checkers', width: 96, weak: true, value: (r) => r.checkers.join('、') },
    { key: 'deadline', width: 168, keeps: true, sort: true, filter: 'date-range', value: (r) => <Deadline row={r} /> },
    {
      key: 'conclusion',
      width: 156,
      filter: 'multi',
      options: dicts.options('checkResult').filter((one) => one.value !== stopWork),
      value: (r) => <ConclusionTag row={r} />,
    },
  ]
  return oneProject ? all.filter((column) => column.key !== 'projectName') : all
}
/** 企业自查, 项目自查, 监理检查: who can hold a patrol (dictionary inspectType). */
const ownTypes: readonly string[] = ['11', '12', '13']
/** 停工整改 in dictionary checkResult: no patrol ends so. */
const stopWork = '4'

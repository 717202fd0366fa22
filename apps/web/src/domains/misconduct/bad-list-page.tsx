import { PlusOutlined } from '@ant-design/icons'
import { type BadActionRow, badActionList, createBadAction, exportBadAction, listBadActions } from '@zhugong/contract/misconduct/calls'
import { badSourceNames, badTargets } from '@zhugong/contract/misconduct/codes'
import { Button } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { BadStateTag, LevelTag } from './bad-words.tsx'

const path = '/misconduct'
const sources = Object.entries(badSourceNames).map(([value, label]) => ({ value, label }))

/** What is proposed, decided, published and appealed; what stands against us, and until when? */
export default function BadListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(badActionList, { scope, defaultSort: '-urgency' })
  const { data } = useCall(listBadActions, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const columns = useColumns()
  const paper = useAct(exportBadAction, { success: false, refreshes: [] })
  const mayExport = useCan(exportBadAction)
  const open = (row: BadActionRow) => ['/misconductDetails', { id: row.id }] as const
  return (
    <ListShell
      actions={
        <Can call={createBadAction}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/misconductEdit')}>
            新增
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '待审核',
              value: thousands(counts?.waiting),
              unit: '份',
              tone: counts?.waiting ? 'warning' : undefined,
              href: `${path}?state=1`,
            },
            { label: '公示中', value: thousands(counts?.published), unit: '份', href: `${path}?published=true` },
            {
              label: '申诉中',
              value: thousands(counts?.appealed),
              unit: '份',
              tone: counts?.appealed ? 'warning' : undefined,
              href: `${path}?state=4`,
            },
            {
              label: '本年扣分',
              value: thousands(counts?.deducted),
              unit: '份',
              remark: counts && `共扣 ${counts.points} 分`,
              href: `${path}?deducted=true`,
            },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns.filter((column) => !(column.key === 'projectName' && oneProject))}
        unit="份"
        search={{ key: 'code', placeholder: '编号' }}
        onRow={(row) => go(...open(row))}
        emptyHint="还没有不良行为记录"
        filterWords={{
          published: { title: '公示', words: { true: '公示中' } },
          deducted: { title: '扣分', words: { true: '本年扣分' } },
          mine: { title: '办理', words: { true: '待我办理' } },
        }}
        actions={(row) => [
          { label: row.mine ? '办理' : '查看', href: hrefOf(...open(row)) },
          mayExport && row.publishStart !== null && { label: '认定书', onClick: () => void paper.run({ params: { id: row.id } }) },
        ]}
      />
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof badActionList>[] {
  const dicts = useDicts('badActionTarget', 'corpBadActionType', 'badActionType', 'actionLevel', 'actionDegree', 'misconductState')
  const tree = [
    {
      value: '3',
      label: '企业',
      children: dicts.options('corpBadActionType').map((one) => ({ value: `3-${one.value}`, label: one.label })),
    },
    {
      value: '1',
      label: '人员、班组',
      children: dicts.options('badActionType').map((one) => ({ value: `1-${one.value}`, label: one.label })),
    },
  ]
  return [
    { key: 'code', width: 184, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    {
      key: 'targetType',
      width: 76,
      filter: 'single',
      options: dicts.options('badActionTarget').filter((one) => one.value !== badTargets.expert),
      value: (r) => r.targetTypeName,
    },
    { key: 'targetName', width: 170, keeps: true, filter: 'text', value: (r) => r.targetName },
    { key: 'projectName', width: 150, weak: true, value: (r) => r.projectName ?? '--' },
    { key: 'type', width: 160, filter: 'tree-cascader', tree, value: (r) => r.typeName },
    {
      key: 'level',
      width: 92,
      filter: 'multi',
      options: dicts.options('actionLevel'),
      value: (r) => <LevelTag level={r.level} name={r.levelName} />,
    },
    { key: 'degree', width: 96, weak: true, filter: 'multi', options: dicts.options('actionDegree'), value: (r) => r.degreeName },
    { key: 'occurrenceDate', width: 108, sort: true, filter: 'date-range', value: (r) => r.occurrenceDate ?? '--' },
    { key: 'score', width: 72, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.score },
    { key: 'publishEnd', width: 108, weak: true, sort: true, filter: 'date-range', value: (r) => r.publishEnd ?? '--' },
    { key: 'source', width: 92, weak: true, filter: 'multi', options: sources, value: (r) => r.sourceName },
    {
      key: 'state',
      width: 168,
      keeps: true,
      filter: 'multi',
      options: dicts.options('misconductState'),
      value: (r) => <BadStateTag row={r} />,
    },
  ]
}

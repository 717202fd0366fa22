import { PlusOutlined } from '@ant-design/icons'
import { expertStates } from '@zhugong/contract/experts/moves'
import { expertMisconductList, listExpertMisconduct } from '@zhugong/contract/misconduct/calls'
import { badLevels, badStates } from '@zhugong/contract/misconduct/codes'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { BadStateTag, LevelTag } from './bad-words.tsx'

const path = '/person/expert/misconduct'
const anywhere = { projectCode: '*' }

/** Experts who can be drawn, or could be after a pause. */
const listed: readonly string[] = [expertStates.listed, expertStates.paused]

/** Record, hear, decide, and undo when wrong: the cases of the library's experts. */
export default function ExpertBadPage() {
  const go = useGo()
  const mayPropose = useCan('experts.misconduct')
  const mayReview = useCan('experts.review')
  const list = useListPage(expertMisconductList, { scope: anywhere, defaultSort: '-urgency' })
  const { data } = useCall(listExpertMisconduct, { query: { ...anywhere, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const columns = useColumns()
  const figure = (label: string, count: number | undefined, state: string, warns = false) => ({
    label,
    value: thousands(count),
    unit: '份',
    tone: warns && count ? ('warning' as const) : undefined,
    href: `${path}?state=${state}`,
  })
  return (
    <ListShell
      actions={
        mayPropose && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/misconductEdit', { targetType: '4' })}>
            登记
          </Button>
        )
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            figure('待审核', counts?.waiting, '1', true),
            figure('公示中', counts?.published, '2'),
            figure('申诉中', counts?.appealed, '4', true),
            { label: '本年出库', value: thousands(counts?.removed), unit: '人' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="份"
        search={{ key: 'expert', placeholder: '专家姓名' }}
        onRow={(row) => go('/misconductDetails', { id: row.id })}
        emptyHint="没有专家不良行为"
        actions={(row) => [
          { label: row.mine ? '办理' : '查看', href: hrefOf('/misconductDetails', { id: row.id }) },
          mayReview && row.state === badStates.decided && row.level !== badLevels.light && listed.includes(row.expertState)
            ? { label: row.level === badLevels.severe ? '建议出库' : '建议暂停', href: hrefOf('/person/expert/form', { id: row.expertId }) }
            : undefined,
        ]}
      />
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof expertMisconductList>[] {
  const dicts = useDicts('expertMisconductType', 'actionLevel', 'misconductState')
  return [
    { key: 'code', width: 150, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'expert', width: 100, filter: 'text', value: (r) => r.expert },
    { key: 'misconductType', width: 130, filter: 'multi', options: dicts.options('expertMisconductType'), value: (r) => r.typeName },
    { key: 'activity', width: 200, weak: true, value: (r) => r.activity ?? '--' },
    { key: 'date', width: 108, sort: true, filter: 'date-range', value: (r) => r.date ?? '--' },
    {
      key: 'level',
      width: 92,
      filter: 'multi',
      options: dicts.options('actionLevel'),
      value: (r) => <LevelTag level={r.level} name={r.levelName} />,
    },
    { key: 'deduction', width: 76, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.deduction },
    { key: 'publishEnd', width: 108, sort: true, filter: 'date-range', value: (r) => r.publishEnd ?? '--' },
    {
      key: 'state',
      width: 168,
      keeps: true,
      filter: 'multi',
      options: dicts.options('misconductState'),
      value: (r) => <BadStateTag row={{ ...r, publishStart: r.publishEnd }} />,
    },
  ]
}

import { type DrawRow, drawList, halves } from '@zhugong/contract/experts/draws'
import { drawStates } from '@zhugong/contract/experts/moves'
import { type ReactNode, useState } from 'react'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { useListPage } from '#kit/list.ts'
import { useProjectScope } from '#kit/me.ts'
import { usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { DrawView } from './draw-view.tsx'
import { DrawStateTag } from './expert-words.tsx'

const states = Object.entries(drawStates).map(([value, label]) => ({ value, label }))

/** All draws the caller may know of, repeats side by side with what they repeat. */
export function DrawTable({ toolbar }: { toolbar: ReactNode }) {
  const list = useListPage(drawList, { scope: useProjectScope(), own: ['tab', 'drawId'] })
  const linked = usePageQuery().get('drawId')
  const [opened, setOpened] = useState<string | undefined>(linked ?? undefined)
  const dicts = useDicts('expertActivityType')
  const columns: ColumnOf<typeof drawList>[] = [
    { key: 'code', width: 140, locked: true, filter: 'text', sort: true, value: (r) => <span className="zg-num">{r.code}</span> },
    { key: 'purpose', width: 116, filter: 'multi', options: dicts.options('expertActivityType'), value: (r) => r.purposeName },
    { key: 'title', width: 220, value: (r) => r.title },
    { key: 'projectName', width: 180, filter: 'text', value: (r) => r.projectName },
    { key: 'meetingDate', width: 132, sort: true, filter: 'date-range', value: (r) => `${r.meetingDate} ${halves[r.half]}` },
    { key: 'place', width: 140, weak: true, value: (r) => r.place },
    { key: 'organiserName', width: 160, weak: true, value: (r) => r.organiserName },
    { key: 'run', width: 76, value: (r) => (r.run > 1 ? `第 ${r.run} 次` : undefined) },
    { key: 'wanted', width: 68, align: 'right', value: (r) => r.wanted },
    { key: 'accepted', width: 80, align: 'right', value: (r) => r.accepted },
    { key: 'state', width: 96, keeps: true, filter: 'multi', options: states, value: (r) => <DrawStateTag row={r} /> },
  ]
  const open = (row: DrawRow) => setOpened(row.id)
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        name="expert-draws"
        unit="场"
        search={{ key: 'code', placeholder: '抽取编号' }}
        toolbar={toolbar}
        onRow={open}
        emptyHint="还没有抽取：从“抽取专家”开始"
        filterWords={{ thisYear: { title: '抽取', words: { true: '本年', false: '往年' } } }}
        actions={(row) => [{ label: '查看', onClick: () => open(row) }]}
      />
      {opened && <DrawView id={opened} onOpen={setOpened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

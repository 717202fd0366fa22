import { type NoticeDetail, type ReceiptFigures, receiptList } from '@zhugong/contract/announcements/calls'
import { Button } from 'antd'
import { DataTable } from '#kit/data-table.tsx'
import { Empty, FigureStrip } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListContext } from '#kit/list-context.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { anyProject, minute, paths, ReaderTag, receiptOptions } from './words.tsx'

const percent = 100
const noActions = { actions: undefined }
const rateOf = (part: number, whole: number) => (whole === 0 ? '--' : `${Math.floor((part / whole) * percent)}%`)

/** Who has read and signed, and who has not: figures, units with their rates, people. */
export function Receipts({ file }: { file: NoticeDetail }) {
  const figures = file.receipts
  const list = useListPage(receiptList, {
    scope: { ...anyProject, noticeId: file.id },
    own: ['id', 'tab'],
    inUrl: true,
    // What is asked first: who is missing.
    defaultFilters: { missing: 'true' },
  })
  if (!figures) return <Empty text="还没有发布" hint="发布后这里显示谁已读、谁已签收" />
  const hrefTo = (more: Record<string, string>) => hrefOf(paths.detail, { id: file.id, tab: 'receipts', ...more })
  const done = file.needReceipt ? figures.signed : figures.read
  return (
    <div className="zg-column notice-receipts">
      <FigureStrip
        items={[
          { label: '应读', value: thousands(figures.all), unit: '人' },
          { label: '已读', value: thousands(figures.read), unit: '人', remark: rateOf(figures.read, figures.all) },
          ...(file.needReceipt
            ? [
                {
                  label: '已签收',
                  value: thousands(figures.signed),
                  unit: '人',
                  remark: rateOf(figures.signed, figures.all),
                  href: hrefTo({ state: 'signed' }),
                },
                {
                  label: '超期',
                  value: thousands(figures.overdue),
                  unit: '人',
                  tone: figures.overdue > 0 ? ('danger' as const) : undefined,
                  href: hrefTo({ state: 'overdue' }),
                },
              ]
            : [{ label: '未读', value: thousands(figures.all - done), unit: '人', href: hrefTo({ missing: 'true' }) }]),
        ]}
      />
      <div className="notice-receipts-body">
        <UnitRates
          figures={figures}
          signs={file.needReceipt}
          chosen={list.filters.groupId}
          onChoose={(id) => list.setFilter('groupId', id)}
        />
        <ListContext value={noActions}>
          <DataTable
            list={list}
            columns={columnsFor(file.needReceipt)}
            unit="人"
            name="notice-receipts"
            exportTitle={`${file.title} 回执`}
            search={{ key: 'name', placeholder: '姓名' }}
            toolbar={
              <Button
                type={list.filters.missing ? 'primary' : 'default'}
                aria-pressed={Boolean(list.filters.missing)}
                onClick={() => list.setFilter('missing', list.filters.missing ? undefined : 'true')}
              >
                {file.needReceipt ? '未签收' : '未读'} {thousands(figures.missing)}
              </Button>
            }
            filterWords={{
              missing: { title: '回执', words: { true: file.needReceipt ? '未签收' : '未读' } },
              groupId: { title: '单位', words: Object.fromEntries(figures.units.map((one) => [one.groupId, one.name])) },
              areaCode: { title: '区划', words: Object.fromEntries(figures.areas.map((one) => [one.areaCode, one.areaName])) },
            }}
            emptyHint={file.needReceipt ? '没有符合条件的接收人；全部签收后这里为空' : '没有符合条件的接收人'}
          />
        </ListContext>
      </div>
    </div>
  )
}

function UnitRates({
  figures,
  signs,
  chosen,
  onChoose,
}: {
  figures: ReceiptFigures
  signs: boolean
  chosen: string | undefined
  onChoose: (groupId: string | undefined) => void
}) {
  const part = (one: { read: number; signed: number }) => (signs ? one.signed : one.read)
  return (
    <aside className="notice-rates" aria-label="按单位">
      {figures.areas.length > 1 && (
        <>
          <h3>按区划</h3>
          <ul>
            {figures.areas.map((one) => (
              <li key={one.areaCode}>
                <span>{one.areaName}</span>
                <span className="notice-bar">
                  <Filled part={part(one)} whole={one.all} />
                </span>
                <span>
                  {part(one)}/{one.all} {rateOf(part(one), one.all)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>按单位</h3>
      <ul>
        {figures.units.map((one) => (
          <li key={one.groupId} data-chosen={chosen === one.groupId ? '' : undefined}>
            <button
              type="button"
              className="zg-bare"
              aria-pressed={chosen === one.groupId}
              onClick={() => onChoose(chosen === one.groupId ? undefined : one.groupId)}
            >
              {one.name}
            </button>
            <span className="notice-bar">
              <Filled part={part(one)} whole={one.all} />
            </span>
            <span>
              {part(one)}/{one.all} {rateOf(part(one), one.all)}
            </span>
          </li>
        ))}
      </ul>
    </aside>
  )
}

const columnsFor = (signs: boolean): ColumnOf<typeof receiptList>[] => columns.filter((one) => signs || one.key !== 'receiptTime')

const columns: ColumnOf<typeof receiptList>[] = [
  { key: 'name', width: 96, locked: true, sort: true, filter: 'text', value: (r) => r.name },
  { key: 'unit', width: 200, sort: true, filter: 'text', value: (r) => r.unit },
  { key: 'projectName', width: 200, hidden: true, value: (r) => r.projectName ?? '--' },
  { key: 'areaName', width: 100, value: (r) => r.areaName ?? '--' },
  { key: 'role', width: 140, value: (r) => r.role || '--' },
  { key: 'phone', width: 120, value: (r) => r.phone ?? '--' },
  { key: 'readTime', width: 148, sort: true, filter: 'date-range', value: (r) => minute(r.readTime) },
  { key: 'receiptTime', width: 148, sort: true, filter: 'date-range', value: (r) => minute(r.receiptTime) },
  {
    key: 'state',
    width: 112,
    keeps: true,
    filter: 'multi',
    options: receiptOptions,
    value: (r) => <ReaderTag state={r.state} name={r.stateName} />,
  },
]

import { PlusOutlined } from '@ant-design/icons'
import { changeSheet, createSheet, listSheets, type SheetRow, sheetList } from '@zhugong/contract/sheets/calls'
import { sheetMoves, sheetStates, sheetTypes } from '@zhugong/contract/sheets/moves'
import { Button, Segmented } from 'antd'
import { askReason } from '#kit/ask.ts'
import { call, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { useEach } from '#kit/each.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ZipButton } from '#kit/zip-button.tsx'
import { anyProject, Parties, paths, SheetStateTag } from './sheet-words.tsx'
import './sheets.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'mine', label: '待我办理' },
  { value: 'signing', label: '待项目签字' },
  { value: 'signed', label: '待归档' },
  { value: 'archived', label: '已归档' },
]

/** Which papers wait for a signature, and which for being filed? */
export default function SheetListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(sheetList, { scope, defaultSort: '-checkDate', tabs: ['tab'] })
  const { data } = useCall(listSheets, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const columns = useColumns()
  const act = useAct(changeSheet, { success: '已办理' })
  const run = (row: SheetRow, body: { action: 'urge' | 'archive' } | { action: 'void'; opinion: string }) =>
    act.run({ params: { id: row.id }, query: anyProject, body: { ...body, version: row.version } })
  const cancel = async (row: SheetRow) => {
    const why = await askReason(`作废 ${row.code ?? '草稿'}`, '作废原因（至少 5 个字，编号不再使用）')
    if (why) await run(row, { action: 'void', opinion: why })
  }
  const figure = (label: string, count: number | undefined, query: string, tone?: 'danger' | 'warning') => ({
    label,
    value: thousands(count),
    unit: '份',
    tone: count ? tone : undefined,
    href: `${paths.list}?${query}`,
  })
  return (
    <ListShell
      actions={
        <Can call={createSheet}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.edit)}>
            新建记录单
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            figure('待项目签字', counts?.signing, 'tab=signing', 'warning'),
            figure('超 3 日未签', counts?.late, 'late=true', 'danger'),
            figure('待归档', counts?.signed, 'tab=signed', 'warning'),
            figure('本年归档', counts?.filed, 'filed=true'),
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns.filter((column) => !(column.key === 'projectName' && oneProject))}
        unit="份"
        search={{ key: 'code', placeholder: '记录编号' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        onRow={(row) => go(paths.detail, { id: row.id })}
        emptyHint="监督交底、行为抽查、约谈和竣工监督的记录显示在这里"
        filterWords={{
          late: { title: '签字', words: { true: '超 3 日未签' } },
          filed: { title: '归档', words: { true: '本年归档' } },
          refused: { title: '拒签', words: { true: '有单位拒签' } },
        }}
        selection={{
          unit: '份',
          disabled: (row) => row.code === null,
          actions: (rows, clear) => (
            <>
              <ArchiveAll rows={rows.filter((row) => row.actions.includes('archive'))} onDone={clear} />
              <ZipButton
                feature="manualsheetPaper"
                query={{ ids: rows.map((row) => row.id) }}
                count={rows.length}
                label="下载文书"
                onDone={clear}
              />
            </>
          ),
        }}
        actions={(row) => [
          {
            label: row.state === sheetStates.draft ? '继续填写' : '查看',
            href: hrefOf(row.state === sheetStates.draft ? paths.edit : paths.detail, { id: row.id }),
          },
          row.actions.includes('urge') && { label: '催签', onClick: () => void run(row, { action: 'urge' }) },
          row.actions.includes('archive') && { label: '归档', onClick: () => void run(row, { action: 'archive' }) },
          row.actions.includes('void') && { label: '作废', danger: true, onClick: () => void cancel(row) },
        ]}
      />
    </ListShell>
  )
}

/** Files several signed sheets. */
function ArchiveAll({ rows, onDone }: { rows: readonly SheetRow[]; onDone: () => void }) {
  const each = useEach('份', onDone)
  const archive = ({ id, version }: SheetRow) =>
    call(changeSheet, { params: { id }, query: anyProject, body: { action: 'archive', version } })
  return (
    <Can call={createSheet}>
      <Button loading={each.running} disabled={rows.length === 0} onClick={() => void each.run(rows, sheetMoves.archive.label, archive)}>
        归档
      </Button>
    </Can>
  )
}

const types: readonly string[] = sheetTypes

function useColumns(): ColumnOf<typeof sheetList>[] {
  const dicts = useDicts('superviseDocType', 'checkResult', 'manualSheetState')
  return [
    { key: 'code', width: 296, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    {
      key: 'docType',
      width: 190,
      filter: 'multi',
      options: dicts.options('superviseDocType').filter((one) => types.includes(one.value)),
      value: (r) => r.docTypeName,
    },
    { key: 'checkDate', width: 108, sort: true, filter: 'date-range', value: (r) => r.checkDate ?? '--' },
    { key: 'checkPart', width: 150, weak: true, filter: 'text', value: (r) => r.checkPart || '--' },
    { key: 'officers', width: 120, weak: true, filter: 'text', filterKey: 'officer', value: (r) => r.officers.join('、') || '--' },
    { key: 'opinion', width: 150, filter: 'multi', options: dicts.options('checkResult'), value: (r) => r.opinionName ?? '--' },
    { key: 'signed', width: 150, keeps: true, value: (r) => <Parties row={r} /> },
    {
      key: 'rectifyCount',
      width: 96,
      align: 'right',
      value: (r) => (r.rectifyCount ? `${r.rectifyOpen}/${r.rectifyCount}` : '--'),
    },
    {
      key: 'state',
      width: 130,
      keeps: true,
      filter: 'multi',
      options: dicts.options('manualSheetState'),
      value: (r) => <SheetStateTag row={r} />,
    },
  ]
}

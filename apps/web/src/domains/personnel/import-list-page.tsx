import { changeImport, type ImportRecord, importKinds, importList, importState, importStates } from '@zhugong/contract/personnel/import'
import { Progress } from 'antd'
import { useAct } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { useResultFile } from './import-result.ts'
import { ImportStart } from './import-start.tsx'
import { importPollMs, isMoving, toneOfImport } from './import-words.ts'
import './personnel.css'
import './import.css'

const optionsOf = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))
const isOver = (state: ImportRecord['state']) => Number(state) >= 5

/** Imports of the user's group and their state. */
export default function ImportListPage() {
  const scope = useProjectScope()
  const go = useGo()
  const base = usePageQuery().get('kind') === 'base'
  const list = useListPage(importList, { scope, defaultSort: '-createTime', everyMs: importPollMs })
  const act = useAct(changeImport, { success: false })
  const result = useResultFile()
  const columns: ColumnOf<typeof importList>[] = [
    { key: 'fileName', width: 220, locked: true, filter: 'text', value: (r) => r.fileName },
    { key: 'kind', width: 96, filter: 'multi', options: optionsOf(importKinds), value: (r) => r.kindName },
    { key: 'projectName', width: 176, value: (r) => r.projectName },
    {
      key: 'state',
      width: 112,
      filter: 'multi',
      options: optionsOf(importStates),
      value: (r) => <Tag tone={r.cancelled ? 'neutral' : toneOfImport[r.state]}>{r.stateName}</Tag>,
    },
    {
      key: 'progress',
      width: 120,
      value: (r) => <Progress size="small" percent={progressOf(r)} showInfo={r.state === importState.running} />,
    },
    { key: 'total', width: 80, align: 'right', sort: true, value: (r) => thousands(r.total) },
    { key: 'success', width: 72, align: 'right', value: (r) => thousands(r.success) },
    {
      key: 'fail',
      width: 72,
      align: 'right',
      value: (r) => (r.fail ? <span className="tone-danger">{thousands(r.fail)}</span> : 0),
    },
    { key: 'createBy', width: 88, filter: 'text', value: (r) => r.createBy },
    { key: 'createTime', width: 152, sort: true, filter: 'date-range', value: (r) => time(r.createTime) },
  ]
  const open = (r: ImportRecord) => !r.cancelled && go('/personImportEdit', { id: r.id })
  const giveUp = (r: ImportRecord) =>
    act.afterRequesting(
      {
        thing: `作废 ${r.fileName}`,
        consequence: '还没有登记任何人；文件里的内容立即清除，不能恢复。',
        verb: '作废',
        keep: '保留',
      },
      { params: { id: r.id }, body: { action: 'cancel' } },
    )
  return (
    <ListShell remark="先校验，确认后在后台登记；每个人只登记一次" above={<ImportStart base={base} />}>
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        onRow={open}
        emptyHint="下载模板填好后上传，或直接粘贴表格"
        actions={(r) => [
          !r.cancelled && { label: nextOf(r), href: hrefOf('/personImportEdit', { id: r.id }) },
          !r.cancelled && isOver(r.state) && { label: '下载结果表', onClick: () => result(r.id) },
          !r.cancelled && Number(r.state) < 4 && { label: '作废', danger: true, needs: changeImport, onClick: () => giveUp(r) },
        ]}
      />
    </ListShell>
  )
}

const nextOf = (r: ImportRecord): string =>
  ({ '0': '查看进度', '1': '查看进度', '2': '修改', '3': '确认', '4': '查看进度', '5': '查看', '6': '处理失败行', '7': '继续' })[r.state]
const progressOf = (r: ImportRecord): number =>
  r.total === 0 || !(isMoving(r.state) || isOver(r.state)) ? 0 : Math.round(((r.success + r.fail) / r.total) * 100)

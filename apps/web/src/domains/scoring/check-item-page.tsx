import { ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { enables } from '@zhugong/contract/kit/enable'
import {
  type CheckItem,
  changeCheckItem,
  checkItemList,
  createCheckItem,
  itemOwnerNames,
  listCheckSheets,
} from '@zhugong/contract/scoring/library'
import { importCheckItems } from '@zhugong/contract/scoring/library-import'
import { sheetMarks } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag } from '#kit/enable.tsx'
import { Notice, Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { CheckItemImport } from './check-item-import.tsx'
import { CheckItemSheet } from './check-item-sheet.tsx'
import './scoring.css'

const library = 'safety' as const

/** Which items do we check, with which points and phrases? The standard, and what the group has added. */
export default function CheckItemPage() {
  const scope = { ...useProjectScope(), library }
  const list = useListPage(checkItemList, { scope, defaultSort: 'itemCode', tabs: ['sheet'] })
  const tree = useCall(listCheckSheets, { query: scope }, { quiet: true })
  const [importing, setImporting] = useState(false)
  const [edited, setEdited] = useState<CheckItem | 'new'>()
  const mayEdit = useCan(changeCheckItem)
  const act = useAct(changeCheckItem)
  const categories = tree.data?.categories ?? []
  const sheets = categories.flatMap((one) => one.sheets)
  const chosen = sheets.find(({ code }) => code === list.filters.sheet)
  const toggle = (item: CheckItem) => {
    if (item.id === null) return
    const { id, version } = item
    const query = { projectCode: '*' }
    if (!item.enable) return void act.run({ query, body: { action: 'enable', id, version } })
    void act.afterRequesting(
      {
        thing: `停用检查项 ${item.name}`,
        consequence: `${item.maxScore} 分还给“${item.takenFromName ?? ''}”；已开始和已提交的检查不变。`,
        verb: '停用',
        keep: '保留',
      },
      { query, body: { action: 'disable', id, version } },
    )
  }
  return (
    <ListShell
      left={
        <SidePanel
          title="检查表"
          all={{ title: '全部', count: sheets.reduce((n, one) => n + one.itemCount, 0) }}
          nodes={categories.map(({ code, name, weight, sheets: below }) => ({
            key: code,
            title: `${name} ${weight} 分`,
            count: below.reduce((n, one) => n + one.itemCount, 0),
            ...(below.length > 1 || below[0]?.code !== code
              ? { children: below.map((one) => ({ key: one.code, title: one.name, count: one.itemCount })) }
              : {}),
          }))}
          selected={list.filters.sheet}
          onSelect={(key) => list.setFilter('sheet', key && key !== '*' ? key : undefined)}
          searchPlaceholder="检查表"
          width={252}
        />
      }
      actions={
        <>
          <Can call={createCheckItem}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited('new')}>
              新增检查项
            </Button>
          </Can>
          <Can call={importCheckItems}>
            <Button icon={<ImportOutlined />} onClick={() => setImporting(true)}>
              导入
            </Button>
          </Can>
        </>
      }
      above={
        chosen && (
          <Notice tone={chosen.marks === sheetMarks ? 'fine' : 'danger'}>
            {chosen.name}：启用的 {chosen.itemCount} 项合计满分 {chosen.marks} 分
            {chosen.marks === sheetMarks ? '' : `，检查表满分须为 ${sheetMarks} 分`}
          </Notice>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="itemCode"
        unit="项"
        search={{ key: 'name', placeholder: '检查项' }}
        emptyHint="没有符合条件的检查项"
        filterWords={{
          guarantee: { title: '保证项目', words: { true: '是', false: '否' } },
          enable: { title: '状态', words: { true: '启用', false: '停用' } },
        }}
        actions={(row) =>
          mayEdit
            ? [
                { label: row.id === null ? '常用问题' : '编辑', onClick: () => setEdited(row) },
                row.id !== null && { label: row.enable ? '停用' : '启用', onClick: () => toggle(row) },
              ]
            : []
        }
      />
      {importing && <CheckItemImport onClose={() => setImporting(false)} />}
      {edited && (
        <CheckItemSheet item={edited === 'new' ? undefined : edited} sheetCode={chosen?.code} onClose={() => setEdited(undefined)} />
      )}
    </ListShell>
  )
}

const yesNo = [
  { value: 'true', label: '是' },
  { value: 'false', label: '否' },
]

const columns: ColumnOf<typeof checkItemList>[] = [
  { key: 'itemCode', width: 104, locked: true, sort: true, filter: 'text', value: (r) => r.itemCode },
  {
    key: 'name',
    width: 200,
    locked: true,
    filter: 'text',
    value: (r) => (
      <>
        {r.name} {r.takenFromName && <span className="zg-2">从“{r.takenFromName}”划出</span>}
      </>
    ),
  },
  { key: 'sheetName', width: 150, weak: true, value: (r) => r.sheetName },
  { key: 'categoryName', width: 130, hidden: true, value: (r) => r.categoryName },
  {
    key: 'guarantee',
    width: 92,
    filter: 'single',
    options: yesNo,
    value: (r) => (r.guarantee ? <Tag icon={false}>保证项目</Tag> : null),
  },
  {
    key: 'maxScore',
    width: 96,
    align: 'right',
    sort: true,
    filter: 'numeric-range',
    value: (r) => (r.maxScore === r.standardScore ? r.maxScore : `${r.maxScore}（原 ${r.standardScore}）`),
  },
  {
    key: 'owner',
    width: 92,
    filter: 'multi',
    options: Object.entries(itemOwnerNames).map(([value, label]) => ({ value, label })),
    value: (r) =>
      r.owner === 'standard' ? (
        r.ownerName
      ) : (
        <Tag tone="running" icon={false}>
          {r.ownerName}
        </Tag>
      ),
  },
  { key: 'clause', width: 140, weak: true, value: (r) => r.clause },
  { key: 'rule', width: 200, weak: true, value: (r) => r.rule },
  { key: 'phrases', width: 96, align: 'right', value: (r) => (r.phrases.length ? `${r.phrases.length} 条` : null) },
  { key: 'useCount', width: 116, keeps: true, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.useCount },
  {
    key: 'enable',
    width: 88,
    keeps: true,
    filter: 'single',
    options: [
      { value: 'true', label: '启用' },
      { value: 'false', label: '停用' },
    ],
    value: (r) => <EnableTag enable={r.enable ? enables.on : enables.off} />,
  },
]

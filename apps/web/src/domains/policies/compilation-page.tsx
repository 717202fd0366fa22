import { PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { policyCategories, policyLevels, policyStateOf, policyStates, policyValidities } from '@zhugong/contract/policies/model'
import {
  changePolicy,
  createPolicy,
  listPolicies,
  type PolicyRow,
  policyList,
  readPolicies,
  removePolicy,
} from '@zhugong/contract/policies/policies'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { EndDrawer } from './end-drawer.tsx'
import { ImportDrawer } from './import-drawer.tsx'
import { PolicyDrawer } from './policy-drawer.tsx'
import { ValidityTag } from './policy-words.tsx'
import { addressOf, PolicyReader, queryOf, searchOf } from './reader.tsx'

const path = '/policyCompilation'
const none = { projectCode: '*' }
const optionsOf = (of: Readonly<Record<string, string>>) => Object.entries(of).map(([value, label]) => ({ value, label }))

/** Everybody reads the compendium; whoever edits it for an authority or the platform keeps its texts. */
export default function CompilationPage() {
  const edits = useCan(createPolicy)
  const query = usePageQuery()
  const go = useGo()
  const keeps = edits && query.get('view') === 'own'
  const views = edits ? (
    <Segmented
      options={[
        { value: '', label: '查阅' },
        { value: 'own', label: '管理本机构文本' },
      ]}
      value={keeps ? 'own' : ''}
      onChange={(view) => go(path, { view: view || undefined }, { replace: true })}
    />
  ) : null
  return keeps ? <Keeping views={views} /> : <Reading views={views} />
}

function Reading({ views }: { views: ReactNode }) {
  const search = searchOf(usePageQuery())
  const go = useGo()
  const read = useCall(readPolicies, { query: { ...none, ...queryOf(search) } }, { quiet: true, keepPrevious: true })
  return (
    <ListShell actions={views ?? undefined}>
      <div className="zg-scroll">
        <PolicyReader
          search={search}
          onSearch={(next) => go(path, addressOf(next), { replace: next.id === search.id })}
          read={read}
          hrefOf={(id) => hrefOf(path, { id })}
        />
      </div>
    </ListShell>
  )
}

function Keeping({ views }: { views: ReactNode }) {
  const [editing, setEditing] = useState<{ id: string }>()
  const [ending, setEnding] = useState<PolicyRow>()
  const [importing, setImporting] = useState(false)
  const list = useListPage(policyList, { scope: none })
  const { data } = useCall(listPolicies, { query: { ...none, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const change = useAct(changePolicy, { success: '已办理' })
  const remove = useAct(removePolicy, { success: '已删除' })
  const publishes = useCan('documents.policyPublish')
  const act = (row: PolicyRow, action: 'publish' | 'top' | 'untop') =>
    void change.run({ params: { id: row.id }, query: none, body: { action, version: row.version } })
  const withdraw = async (row: PolicyRow) => {
    const reason = await askReason(`下架《${row.title}》`, '下架原因')
    if (reason) await change.run({ params: { id: row.id }, query: none, body: { action: 'unpublish', version: row.version, reason } })
  }
  const drop = async (row: PolicyRow) => {
    if (await confirmDanger({ thing: `草稿《${row.title}》`, consequence: '删除后不能恢复。', verb: '删除' }))
      await remove.run({ params: { id: row.id }, query: none })
  }
  const ofPublished = (row: PolicyRow) =>
    publishes && row.state === policyStateOf.published
      ? [
          { label: row.top ? '取消置顶' : '置顶', onClick: () => act(row, row.top ? 'untop' : 'top') },
          { label: '标记修改或废止', onClick: () => setEnding(row) },
          { label: '下架', danger: true, onClick: () => void withdraw(row) },
        ]
      : []
  return (
    <ListShell
      actions={
        <>
          {views}
          <Can call={createPolicy}>
            <Button icon={<UploadOutlined />} onClick={() => setImporting(true)}>
              批量导入 PDF
            </Button>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing({ id: '' })}>
              新建文本
            </Button>
          </Can>
        </>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '已发布', value: thousands(counts?.published), unit: '份', href: `${path}?view=own&state=${policyStateOf.published}` },
            { label: '草稿', value: thousands(counts?.drafts), unit: '份', href: `${path}?view=own&state=${policyStateOf.draft}` },
            { label: '已下架', value: thousands(counts?.withdrawn), unit: '份', href: `${path}?view=own&state=${policyStateOf.withdrawn}` },
            { label: '已废止', value: thousands(counts?.repealed), unit: '份', href: `${path}?view=own&validity=3` },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="份"
        search={{ key: 'title', placeholder: '标题' }}
        onRow={(row) => setEditing({ id: row.id })}
        emptyHint="本机构的文本在这里起草、发布和废止"
        actions={(row) => [
          { label: '编辑', onClick: () => setEditing({ id: row.id }) },
          ...(publishes && row.state !== policyStateOf.published ? [{ label: '发布', onClick: () => act(row, 'publish') }] : []),
          ...ofPublished(row),
          ...(row.state === policyStateOf.draft ? [{ label: '删除', danger: true, onClick: () => void drop(row) }] : []),
        ]}
      />
      {editing && <PolicyDrawer id={editing.id} onClose={() => setEditing(undefined)} />}
      {ending && <EndDrawer row={ending} onClose={() => setEnding(undefined)} />}
      {importing && <ImportDrawer onClose={() => setImporting(false)} />}
    </ListShell>
  )
}

const columns: ColumnOf<typeof policyList>[] = [
  { key: 'title', width: 320, locked: true, sort: true, filter: 'text', value: (r) => r.title },
  { key: 'docNo', width: 180, filter: 'text', value: (r) => r.docNo },
  { key: 'level', width: 84, filter: 'multi', options: optionsOf(policyLevels), value: (r) => r.levelName },
  { key: 'category', width: 112, filter: 'multi', options: optionsOf(policyCategories), value: (r) => r.categoryName },
  { key: 'issuer', width: 200, weak: true, filter: 'text', value: (r) => r.issuer },
  { key: 'issueDate', width: 116, sort: true, filter: 'date-range', value: (r) => r.issueDate },
  { key: 'validity', width: 116, filter: 'multi', options: optionsOf(policyValidities), value: (r) => <ValidityTag row={r} /> },
  {
    key: 'state',
    width: 104,
    filter: 'multi',
    options: optionsOf(policyStates),
    value: (r) => (
      <>
        <Tag tone={r.state === policyStateOf.published ? 'fine' : 'neutral'}>{r.stateName}</Tag>
        {r.top && <span className="policy-top">置顶</span>}
      </>
    ),
  },
  { key: 'views', width: 92, align: 'right', sort: true, value: (r) => thousands(r.views) },
  { key: 'updateTime', width: 152, weak: true, sort: true, filter: 'date-range', value: (r) => r.updateTime.slice(0, 16) },
]

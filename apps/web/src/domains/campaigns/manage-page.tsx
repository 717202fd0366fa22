import { PlusOutlined } from '@ant-design/icons'
import {
  type CampaignRow,
  campaignList,
  changeCampaign,
  createCampaign,
  listCampaigns,
  removeCampaign,
} from '@zhugong/contract/campaigns/calls'
import { campaignProgress } from '@zhugong/contract/campaigns/checks'
import { campaignStates, drawModes } from '@zhugong/contract/campaigns/moves'
import { Button } from 'antd'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Empty, FigureStrip, Known } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { CampaignStateTag, marks, percent, SurpriseTag } from './campaign-words.tsx'
import './campaigns.css'

const path = '/jgt/provinces/planManagement'
const anywhere = { projectCode: '*' }

/** Are my campaigns on time, drawn properly, closed? */
export default function CampaignManagePage() {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(campaignList, { scope, fixedQuery: { tab: 'own' }, defaultSort: '-startDate' })
  const { data } = useCall(listCampaigns, { query: { ...scope, tab: 'own', size: 1 } }, { quiet: true })
  const counts = data?.counts
  const act = useAct(changeCampaign, { success: '已办理' })
  const drop = useAct(removeCampaign, { success: '草稿已删除' })
  const cancel = async (row: CampaignRow) => {
    const opinion = await askReason(`取消 ${row.name}`, '取消原因（至少 5 个字，保留在记录中）')
    if (opinion) await act.run({ params: { id: row.id }, query: anywhere, body: { action: 'cancel', version: row.version, opinion } })
  }
  const remove = async (row: CampaignRow) => {
    if (await confirmDanger({ thing: `删除草稿 ${row.name}`, consequence: '草稿不再保留。', verb: '删除' }))
      await drop.run({ params: { id: row.id }, query: anywhere })
  }
  return (
    <ListShell
      actions={
        <Can call={createCampaign}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go('/jgt/provinces/addPlan')}>
            新建督查
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '进行中', value: thousands(counts?.running), unit: '次', href: `${path}?running=true` },
            { label: '受检项目', value: thousands(counts?.projects), unit: '个', remark: '进行中的督查' },
            { label: '问题数', value: thousands(counts?.problems), unit: '个' },
            { label: '整改率', value: percent(counts?.closeRate ?? null), remark: '已闭合 / 已下发' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={useColumns()}
        unit="次"
        search={{ key: 'name', placeholder: '督查名称' }}
        expand={(row) => <Progress id={row.id} />}
        emptyHint="还没有督查：从“新建督查”开始"
        filterWords={{ running: { title: '督查', words: { true: '进行中' } } }}
        onRow={(row) => go(...pageOf(row))}
        actions={(row) => [
          { label: mainLabel[row.state] ?? '查看', href: hrefOf(...pageOf(row)) },
          row.state !== campaignStates.draft && { label: '抽取与名单', href: hrefOf('/jgt/provinces/addProject', { planId: row.id }) },
          cancellable.includes(row.state) && { label: '取消', danger: true, onClick: () => void cancel(row), needs: changeCampaign },
          row.state === campaignStates.draft && { label: '删除', danger: true, onClick: () => void remove(row), needs: removeCampaign },
          { label: '复制', href: hrefOf('/jgt/provinces/addPlan', { copy: row.id }), needs: createCampaign },
        ]}
      />
    </ListShell>
  )
}

const { draft, issued, locked } = campaignStates
const cancellable: readonly string[] = [draft, issued, locked]
const mainLabel: Readonly<Record<string, string>> = { [draft]: '编辑', [issued]: '抽取', 4: '整改与通报' }

/** Where the next step of a campaign is taken. */
function pageOf(row: CampaignRow): [string, Record<string, string>] {
  if (row.state === draft) return ['/jgt/provinces/addPlan', { id: row.id }]
  if (row.state === issued) return ['/jgt/provinces/addProject', { planId: row.id }]
  return ['/jgt/provinces/checkList', { planId: row.id }]
}

/** Progress by area and by group. */
function Progress({ id }: { id: string }) {
  const read = useCall(campaignProgress, { params: { id }, query: anywhere }, { quiet: true })
  const rows = read.data?.list ?? []
  const part = (by: 'area' | 'group', title: string) => (
    <section>
      <h3>{title}</h3>
      {rows
        .filter((one) => one.by === by)
        .map((one) => (
          <div key={one.name} className="campaign-progress">
            <span className="zg-cut">{one.name}</span>
            <div className="campaign-bar" role="img" aria-label={`${one.name}已检 ${one.done}，应检 ${one.due}`}>
              <Filled part={one.done} whole={one.due} />
            </div>
            <span className="zg-num">
              {one.done} / {one.due}
            </span>
          </div>
        ))}
    </section>
  )
  return (
    <Known of={read}>
      {rows.length === 0 ? (
        <Empty small text="名单尚未产生" />
      ) : (
        <div className="campaign-expand">
          {part('area', '按区划')}
          {part('group', '按检查组')}
        </div>
      )}
    </Known>
  )
}

function useColumns(): ColumnOf<typeof campaignList>[] {
  const dicts = useDicts('govLevel', 'provincePlanState')
  return [
    {
      key: 'name',
      width: 240,
      locked: true,
      filter: 'text',
      value: (r) => (
        <>
          {r.name} <SurpriseTag row={r} />
        </>
      ),
    },
    { key: 'level', width: 80, weak: true, filter: 'multi', options: dicts.options('govLevel'), value: (r) => r.levelName },
    {
      key: 'startDate',
      width: 190,
      sort: true,
      filter: 'date-range',
      value: (r) => (
        <span className="zg-num">
          {r.startDate} 至 {r.endDate.slice(5)}
        </span>
      ),
    },
    {
      key: 'drawMode',
      width: 96,
      weak: true,
      filter: 'multi',
      options: Object.entries(drawModes).map(([value, label]) => ({ value, label })),
      value: (r) => r.drawModeName,
    },
    { key: 'groupCount', width: 76, weak: true, align: 'right', value: (r) => r.groupCount },
    { key: 'projectDone', width: 96, align: 'right', value: (r) => `${r.done} / ${r.due}` },
    { key: 'avgScore', width: 92, align: 'right', sort: true, filter: 'numeric-range', value: (r) => marks(r.avgScore) },
    {
      key: 'majorCount',
      width: 92,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => <span className={r.major > 0 ? 'tone-danger' : undefined}>{r.major}</span>,
    },
    { key: 'closeRate', width: 92, align: 'right', sort: true, filter: 'numeric-range', value: (r) => percent(r.closeRate) },
    {
      key: 'state',
      width: 110,
      keeps: true,
      filter: 'multi',
      options: dicts.options('provincePlanState'),
      value: (r) => <CampaignStateTag row={r} />,
    },
  ]
}

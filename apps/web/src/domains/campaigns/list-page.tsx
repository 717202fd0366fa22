import { type CampaignRow, campaignList } from '@zhugong/contract/campaigns/calls'
import { campaignStates } from '@zhugong/contract/campaigns/moves'
import { Input } from 'antd'
import { Link } from 'react-router'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { Choice, YearInput } from '#kit/inputs.tsx'
import { type ListPage, useListPage } from '#kit/list.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectScope } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { Pager } from '#kit/pager.tsx'
import { CampaignStateTag, marks, percent, SurpriseTag } from './campaign-words.tsx'
import { MyChecks } from './my-checks.tsx'
import './campaigns.css'

const government = 1

/** Which campaigns concern me, and where do I go next? */
export default function CampaignListPage() {
  const scope = useProjectScope()
  const list = useListPage(campaignList, { scope, fixedQuery: { tab: 'mine' }, defaultSort: '-startDate' })
  const isAuthority = useGroupType() === government
  return (
    <PageShell>
      <div className="campaign-page">
        <Filters filters={list.filters} setFilter={list.setFilter} />
        {list.error ? (
          <ErrorPanel error={list.error} retry={list.refresh} />
        ) : list.loading ? (
          <TableSkeleton rows={3} />
        ) : list.rows.length === 0 ? (
          <Card>
            <Empty text="没有与您有关的督查" hint={isAuthority ? '编入检查组，或辖区项目受检后在此出现' : '督查通报发布后在此出现'} />
          </Card>
        ) : (
          <div className="campaign-cards">
            {list.rows.map((row) => (
              <CampaignCard key={row.id} row={row} isAuthority={isAuthority} />
            ))}
          </div>
        )}
        {list.total > list.size && <Pager list={list} />}
        {isAuthority && (
          <Can code="supervision.campaignCheck">
            <MyChecks />
          </Can>
        )}
      </div>
    </PageShell>
  )
}

type Filter = 'name' | 'level' | 'state' | 'year'
function Filters({ filters, setFilter }: { filters: ListPage<CampaignRow>['filters']; setFilter: (name: Filter, value?: string) => void }) {
  const dicts = useDicts('govLevel', 'provincePlanState')
  const levels = dicts.options('govLevel').filter((one) => ['2', '3'].includes(String(one.value)))
  return (
    <search className="campaign-filters">
      <Input.Search
        allowClear
        aria-label="督查名称"
        placeholder="督查名称"
        defaultValue={filters.name ?? ''}
        onSearch={(name) => setFilter('name', name || undefined)}
      />
      <Choice aria-label="督查层级" placeholder="层级" options={levels} value={filters.level} onChange={(one) => setFilter('level', one)} />
      <Choice
        aria-label="状态"
        placeholder="状态"
        options={dicts.options('provincePlanState').filter((one) => one.value !== campaignStates.draft)}
        value={filters.state}
        onChange={(one) => setFilter('state', one)}
      />
      <YearInput aria-label="年度" placeholder="年度" value={filters.year} onChange={(one) => setFilter('year', one || undefined)} />
    </search>
  )
}

function CampaignCard({ row, isAuthority }: { row: CampaignRow; isAuthority: boolean }) {
  const { mine } = row
  const [due, done] = mine ? [mine.due, mine.done] : [row.due, row.done]
  return (
    <Card
      title={<Link to={hrefOf('/jgt/provinces/checkList', { planId: row.id })}>{row.name}</Link>}
      actions={
        <>
          <SurpriseTag row={row} />
          <CampaignStateTag row={row} />
        </>
      }
    >
      <p className="zg-2">
        {row.levelName} · {row.organiserName} · <span className="zg-num">{row.startDate}</span> 至{' '}
        <span className="zg-num">{row.endDate}</span>
        {row.daysLeft !== null && (
          <span className={row.daysLeft < 0 ? 'tone-danger' : undefined}>
            {row.daysLeft < 0 ? `，已超期 ${-row.daysLeft} 天` : `，还有 ${row.daysLeft} 天`}
          </span>
        )}
      </p>
      {mine && (
        <p>
          {mine.groupName}，组长 {mine.leader ?? '--'}
          {mine.isLeader && '（您）'}
        </p>
      )}
      {isAuthority && (
        <div className="campaign-bar" role="img" aria-label={`已检 ${done}，应检 ${due}`}>
          <Filled part={done} whole={due} />
        </div>
      )}
      <dl className="campaign-figures">
        <Pair label={mine ? '我的项目' : row.own ? '受检项目' : '辖区项目'} value={`${done} / ${due}`} />
        <Pair label="问题" value={row.problems} />
        <Pair label="未闭合整改" value={row.openNotices} warn={row.openNotices > 0} />
        <Pair label="整改率" value={percent(row.closeRate)} />
        {isAuthority && <Pair label="平均得分" value={marks(row.avgScore)} />}
      </dl>
      <p className="campaign-links">
        <Link to={hrefOf('/jgt/provinces/checkList', { planId: row.id })}>{isAuthority ? '项目与检查' : '本单位结果'}</Link>
        {row.published && <Link to={hrefOf('/jgt/provinces/checkList', { planId: row.id, show: 'report' })}>查看通报</Link>}
      </p>
    </Card>
  )
}

const Pair = ({ label, value, warn }: { label: string; value: string | number; warn?: boolean }) => (
  <div>
    <dt>{label}</dt>
    <dd className={`zg-num ${warn ? 'tone-warning' : ''}`}>{value}</dd>
  </div>
)

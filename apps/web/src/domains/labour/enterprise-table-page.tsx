import { groupTypes } from '@zhugong/contract/access/group-types'
import { type EnterpriseStatsRow, enterpriseStatsList, enterpriseStatsTotals, type RatioKey, ratios } from '@zhugong/contract/labour/tables'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { month, thousands } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { queryOf, useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Comparison } from './stats-bars.tsx'
import { ratioColumns, Share, sumCells } from './stats-cells.tsx'
import './labour.css'

const keys = ['contract', 'payCard', 'training', 'cert', 'realName', 'attend'] as const satisfies readonly RatioKey[]

/** Companies compared over all their sites. */
export default function EnterpriseTablePage() {
  const go = useGo()
  const page = usePage()
  const groupType = useGroupType()
  const query = usePageQuery()
  const requested = query.get('month') ?? month(Date.now())
  const corpCode = query.get('corpCode') ?? undefined
  const scope = useProjectScope()
  const given = useMemo(() => ({ ...scope, month: requested, corpCode: corpCode || undefined }), [scope, requested, corpCode])
  const totals = useCall(enterpriseStatsTotals, { query: { ...scope, month: requested } }, { quiet: true, keepPrevious: true })
  const dicts = useDicts('corpKind')
  const seesFile = useCan('corporation.view')
  const list = useListPage(enterpriseStatsList, { scope: given, own: ['month', 'corpCode'], defaultSort: '-onSite' })
  const t = totals.data
  const columns: ColumnOf<typeof enterpriseStatsList>[] = [
    {
      key: 'corpName',
      width: 220,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => (
        <>
          {seesFile ? <Link to={hrefOf('/companySystem/info/extra', { corpCode: r.corpCode })}>{r.corpName}</Link> : r.corpName}
          {r.black && (
            <>
              {' '}
              <Tag tone="danger" icon={false}>
                黑名单
              </Tag>
            </>
          )}
        </>
      ),
    },
    { key: 'corpKind', width: 116, filter: 'multi', options: dicts.options('corpKind'), value: (r) => r.corpKindNames.join('、') },
    { key: 'projects', width: 88, align: 'right', value: (r) => `${r.projects.length} 个` },
    { key: 'onSite', width: 96, align: 'right', sort: true, filter: 'numeric-range', value: (r) => thousands(r.onSite) },
    { key: 'teams', width: 76, align: 'right', sort: true, value: (r) => r.teams },
    ...ratioColumns<EnterpriseStatsRow>(keys, { hidden: ['realName'] }).map((c) => ({ ...c, key: c.key as (typeof keys)[number] })),
    {
      key: 'leader',
      width: 116,
      align: 'right',
      sort: true,
      value: (r) => <Share cell={r.leader} least={ratios.keyPost.least} how="项目负责人应到的日子中到岗的" />,
    },
    { key: 'bad', width: 88, align: 'right', sort: true, value: (r) => (r.bad ? <span className="tone-danger">{r.bad}</span> : 0) },
    { key: 'badWithSubs', width: 132, align: 'right', sort: true, value: (r) => r.badWithSubs },
    {
      key: 'creditScore',
      width: 88,
      align: 'right',
      sort: true,
      value: (r) => <span className={r.creditScore < 90 ? 'tone-warning' : ''}>{r.creditScore}</span>,
    },
  ]
  const compared = list.rows.slice(0, 5).map((r) => ({ key: r.corpCode, name: r.corpName, cells: r }))
  return (
    <ListShell
      remark="同一项目任几种参建类型的，人员只计一次"
      actions={
        <span className="zg-w-132">
          <MonthInput
            value={requested}
            max={month(Date.now())}
            onChange={(next) => go(page.path, { month: next, corpCode }, { replace: true })}
          />
        </span>
      }
      strip={
        <FigureStrip
          loading={!totals.data}
          items={[
            { label: '企业数', value: thousands(t?.rows), unit: '家' },
            { label: '无合同人数', value: thousands(t?.noContract), unit: '人', tone: t?.noContract ? 'danger' : undefined },
            {
              label: '负责人到岗不足',
              value: thousands(t?.leaderShort),
              unit: '家',
              remark: '低于 80%',
              tone: t?.leaderShort ? 'warning' : undefined,
            },
            {
              label: '黑名单在场',
              value: thousands(t?.blackInPlace),
              unit: '家',
              tone: t?.blackInPlace ? 'danger' : undefined,
              // No link for a company: this figure counts its own people, the black list every company on its sites.
              href: groupType === groupTypes.corporation ? undefined : hrefOf('/companyBlack', { inPlace: '1,' }),
            },
          ]}
        />
      }
      above={<Comparison title="本页前五家" keys={keys} rows={compared} requested={queryOf(list)} />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="corpCode"
        unit="家"
        search={{ key: 'corpName', placeholder: '企业名称' }}
        expand={(r) => <Sites row={r} />}
        sums={t ? { corpName: '合计', onSite: thousands(t.onSite), ...pick(sumCells(t.sum)) } : undefined}
      />
    </ListShell>
  )
}

const pick = (cells: ReturnType<typeof sumCells>) => Object.fromEntries(keys.map((key) => [key, cells[key]]))

/** Sites of a company, with its number of people on each. */
function Sites({ row }: { row: EnterpriseStatsRow }) {
  const most = Math.max(1, ...row.projects.map((p) => p.onSite))
  return (
    <div className="lab-sites">
      {row.projects.map((p) => (
        <div className="lab-bar" key={p.unitId}>
          <Link to={hrefOf('/unitListEditDetails', { id: p.unitId })}>
            {p.name}（{p.corpTypeName}）
          </Link>
          <span className="track">
            <Filled part={p.onSite} whole={most} />
          </span>
          <span className="zg-num">{p.onSite} 人</span>
        </div>
      ))}
    </div>
  )
}

import { PlusOutlined } from '@ant-design/icons'
import {
  type CampaignCard,
  createThemeCampaign,
  createThemeCheck,
  listThemeCampaigns,
  listThemeChecks,
  type ThemeRow,
  themeList,
} from '@zhugong/contract/themes/calls'
import { campaignStates } from '@zhugong/contract/themes/moves'
import { Button, Segmented } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, FigureStrip, Known, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Deadline, StateTag } from '../checks/public.tsx'
import { CampaignTag, draftState, paths, themeOptions } from './theme-words.tsx'
import './themes.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'own', label: '我检查的' },
  { value: 'open', label: '未闭合' },
]
/** Which campaigns the cards show. */
const shows = ['running', 'late', 'done', 'draft'] as const
const showOptions = [
  { value: '', label: '全部' },
  { value: 'running', label: '进行中' },
  { value: 'late', label: '超期' },
  { value: 'done', label: '已完成' },
  { value: 'draft', label: '草稿' },
]

/** How far is each campaign? One row is one check of a campaign. */
export default function ThemeListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(themeList, { scope, defaultSort: '-checkTime', tabs: ['tab'], own: ['show'] })
  const chosen = usePageQuery().get('show')
  const show = shows.find((one) => one === chosen)
  const { data } = useCall(listThemeCampaigns, { query: { ...scope, size: 1 } }, { quiet: true })
  const columns = useColumns().filter((column) => !(column.key === 'projectName' && oneProject))
  const checks = useCall(listThemeChecks, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const found = checks.data?.counts
  return (
    <ListShell
      actions={
        <Can call={createThemeCampaign}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.form)}>
            新建专项
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts || !found}
          items={[
            { label: '进行中专项', value: thousands(counts?.running), unit: '项' },
            { label: '超期专项', value: thousands(counts?.late), unit: '项', tone: counts?.late ? 'danger' : undefined },
            {
              label: '未闭合检查',
              value: thousands(found?.open),
              unit: '次',
              tone: found?.open ? 'warning' : undefined,
              href: `${paths.list}?tab=open`,
            },
            {
              label: '逾期检查',
              value: thousands(found?.overdue),
              unit: '次',
              tone: found?.overdue ? 'danger' : undefined,
              href: `${paths.list}?overdue=true`,
            },
          ]}
        />
      }
      above={<Campaigns show={show} oneProject={oneProject} />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        search={{ key: 'code', placeholder: '编号' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        onRow={(row) => go(...pageOf(row))}
        emptyHint="在专项的卡片上点“登记检查”，按对象和要点逐个检查"
        filterWords={{ overdue: { title: '逾期', words: { true: '已逾期' } }, today: { title: '检查时间', words: { true: '今天' } } }}
        actions={(row) => [{ label: row.state === draftState ? '继续检查' : '查看', href: hrefOf(...pageOf(row)) }]}
      />
    </ListShell>
  )
}

const pageOf = ({ id, state, campaignId }: ThemeRow): [string, Record<string, string>] =>
  state === draftState ? [paths.form, { campaign: campaignId, id }] : [paths.detail, { check: id }]

const cardsShown = 30

function Campaigns({ show, oneProject }: { show: (typeof shows)[number] | undefined; oneProject: boolean }) {
  const go = useGo()
  const scope = useProjectScope()
  const read = useCall(listThemeCampaigns, { query: { ...scope, tab: show, size: cardsShown } }, { quiet: true, keepPrevious: true })
  const rest = (read.data?.total ?? 0) - (read.data?.list.length ?? 0)
  return (
    <Card
      title="专项检查"
      remark={rest > 0 ? `另有 ${rest} 项较早的未列出` : undefined}
      className="theme-box"
      actions={<Segmented options={showOptions} value={show ?? ''} onChange={(value) => go(paths.list, value ? { show: value } : {})} />}
    >
      <Known of={read}>
        {read.data?.list.length === 0 ? (
          <Empty small text="没有专项检查" hint="防汛、起重机械、临电、消防、节后复工、高处坠落，从模板开始" />
        ) : (
          <ul className="theme-cards">
            {(read.data?.list ?? []).map((one) => (
              <li key={one.id}>
                <CampaignBox row={one} oneProject={oneProject} />
              </li>
            ))}
          </ul>
        )}
      </Known>
    </Card>
  )
}

function CampaignBox({ row, oneProject }: { row: CampaignCard; oneProject: boolean }) {
  const href = row.state === campaignStates.draft ? hrefOf(paths.form, { id: row.id }) : hrefOf(paths.detail, { id: row.id })
  return (
    <section className="theme-card" aria-label={row.title}>
      <header>
        <Link to={href}>
          <b>{row.title}</b>
        </Link>
        <CampaignTag row={row} />
      </header>
      <span className="zg-2">
        {!oneProject && `${row.projectName} · `}
        {row.themeName} · {row.orderedByName}
      </span>
      <span className="zg-2">
        {row.startDate} 至 {row.endDate}
      </span>
      <span className="theme-bar">
        <Filled part={row.checkedCount} whole={row.objectCount} />
      </span>
      <span>
        已检 {row.checkedCount} / {row.objectCount} · 问题 {row.problemCount}，
        <span className={row.openCount > 0 ? 'tone-danger' : undefined}>未闭合 {row.openCount}</span>
        {row.reported && (
          <>
            {' '}
            <Tag tone="fine">有总结</Tag>
          </>
        )}
      </span>
      {row.state === campaignStates.running && (
        <Can call={createThemeCheck} at={{ projectCode: row.projectCode }}>
          <Link to={hrefOf(paths.form, { campaign: row.id })}>登记检查</Link>
        </Can>
      )}
    </section>
  )
}

/** 专项检查, and 节前（节后复工）检查 in dictionary inspectType. */
const themeTypes: readonly string[] = ['02', '05']
/** 停工整改 in dictionary checkResult: no check of a campaign ends so. */
const stopWork = '4'

function useColumns(): ColumnOf<typeof themeList>[] {
  const dicts = useDicts('inspectType', 'rectifyState', 'checkResult')
  return [
    { key: 'code', width: 190, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    {
      key: 'title',
      width: 180,
      keeps: true,
      filter: 'text',
      value: (r) => <Link to={hrefOf(paths.detail, { id: r.campaignId })}>{r.title}</Link>,
    },
    { key: 'theme', width: 110, filter: 'multi', options: themeOptions, value: (r) => r.themeName },
    {
      key: 'inspectType',
      width: 130,
      weak: true,
      filter: 'multi',
      options: dicts.options('inspectType').filter((one) => themeTypes.includes(one.value)),
      value: (r) => r.inspectTypeName,
    },
    { key: 'checkTime', width: 140, sort: true, filter: 'date-range', value: (r) => r.checkTime.slice(0, 16) },
    { key: 'checkers', width: 130, filter: 'text', value: (r) => r.checkers.join('、') },
    { key: 'objectCount', width: 90, align: 'right', weak: true, value: (r) => r.objectCount },
    {
      key: 'result',
      width: 160,
      keeps: true,
      filter: 'multi',
      options: dicts.options('checkResult').filter((one) => one.value !== stopWork),
      value: (r) => r.resultName,
    },
    { key: 'problemCount', width: 84, align: 'right', sort: true, value: (r) => r.problemCount },
    {
      key: 'openCount',
      width: 84,
      align: 'right',
      keeps: true,
      value: (r) => <span className={r.openCount > 0 ? 'tone-danger' : undefined}>{r.openCount}</span>,
    },
    { key: 'deadline', width: 160, sort: true, filter: 'date-range', value: (r) => <Deadline row={r} /> },
    { key: 'state', width: 140, keeps: true, filter: 'multi', options: dicts.options('rectifyState'), value: (r) => <StateTag row={r} /> },
  ]
}

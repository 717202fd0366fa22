import './onboarding.css'
import { changeOnboarding, listOnboarding, type onboardingList, type ReadinessRow } from '@zhugong/contract/onboarding/endpoints'
import { listOpenings } from '@zhugong/contract/onboarding/openings'
import { onboardingSteps, stepKeys, stepStates } from '@zhugong/contract/onboarding/steps'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { useEnter } from '#kit/enter.ts'
import { Empty, ErrorPanel, FigureStrip, Tag } from '#kit/feedback.tsx'
import { ListShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Pager } from '#kit/pager.tsx'
import { usePref } from '#kit/pref-state.ts'
import { Star } from '#kit/star.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { AssignDrawer } from './assign-drawer.tsx'
import { CallButton } from './call-button.tsx'
import { NavigationFilters } from './navigation-filters.tsx'
import { NavigationMap } from './navigation-map.tsx'
import { ProjectCard } from './project-card.tsx'
import { ReadinessBar } from './readiness-bar.tsx'
import { type NavigationList, type RowActs, useNavigationList } from './row-acts.tsx'
import { stepOptions, stepTones } from './step-words.ts'

const views = [
  { value: 'cards', label: '卡片' },
  { value: 'table', label: '表格' },
  { value: 'map', label: '地图' },
]
const chipWords = { chip: { title: '关注', words: { ready: '全部就绪', long: '停在某步 > 7 天', new: '本月新开', starred: '收藏' } } }

/** Sites with links to enter them, and those not fully set up. */
export default function NavigationPage() {
  const go = useGo()
  const page = usePage()
  const requested = usePageQuery().get('view')
  const [kept, keep] = usePref('onboarding-view', 'cards')
  const view = requested ?? kept
  const list = useNavigationList()
  const enter = useEnter()
  const [assigning, setAssigning] = useState<ReadinessRow>()
  const open = (row: ReadinessRow) => void enter({ projectCode: row.projectCode, projectName: row.name }, '/main')
  const acts: RowActs = {
    open,
    details: (row) => go('/projectNavigationDetails', { projectCode: row.projectCode }),
  }
  const look = (next: string) => {
    keep(next)
    if (requested) go(page.path, {}, { replace: true })
  }
  return (
    <ListShell
      titleActions={
        <>
          <Segmented options={views} value={view} onChange={look} />
          <Can call={listOpenings}>
            <Button type="primary" onClick={() => go('/projectOpening')}>
              开通向导
            </Button>
          </Can>
        </>
      }
      strip={<Figures />}
    >
      {view === 'table' ? (
        <NavigationTable list={list} acts={acts} onAssign={setAssigning} />
      ) : (
        <section className="onb-body">
          <NavigationFilters list={list} />
          {list.error ? (
            <ErrorPanel error={list.error} retry={list.refresh} />
          ) : view === 'map' ? (
            <NavigationMap rows={list.rows} total={list.total} acts={acts} />
          ) : (
            <Cards list={list} acts={acts} />
          )}
          <Pager list={list} unit="个" />
        </section>
      )}
      {assigning && <AssignDrawer row={assigning} onClose={() => setAssigning(undefined)} />}
    </ListShell>
  )
}

function Figures() {
  const { data } = useCall(listOnboarding, { query: { projectCode: '*', size: 1 } }, { quiet: true, group: '*' })
  const f = data?.figures
  return (
    <FigureStrip
      loading={!data}
      items={[
        { label: '项目数', value: f?.total, unit: '个', href: '/projectNavigation' },
        { label: '全部就绪', value: f?.ready, unit: '个', tone: 'fine', href: '/projectNavigation?chip=ready' },
        {
          label: '停在某步 > 7 天',
          value: f?.long,
          unit: '个',
          tone: f?.long ? 'danger' : undefined,
          href: '/projectNavigation?chip=long',
        },
        { label: '本月新开', value: f?.fresh, unit: '个', href: '/projectNavigation?chip=new' },
      ]}
    />
  )
}

function Cards({ list, acts }: { list: Pick<NavigationList, 'rows' | 'loading'>; acts: RowActs }) {
  if (list.loading)
    return (
      <ul className="onb-cards" aria-label="加载中">
        {stepKeys.map((key) => (
          <li key={key} className="onb-card bone" />
        ))}
      </ul>
    )
  if (list.rows.length === 0) return <Empty text="没有符合条件的项目" hint="换一个条件，或用开通向导新建" />
  return (
    <ul className="onb-cards">
      {list.rows.map((row) => (
        <ProjectCard key={row.projectCode} row={row} acts={acts} />
      ))}
    </ul>
  )
}

function NavigationTable({ list, acts, onAssign }: { list: NavigationList; acts: RowActs; onAssign: (row: ReadinessRow) => void }) {
  const dicts = useDicts('projectState')
  const columns: ColumnOf<typeof onboardingList>[] = [
    {
      key: 'name',
      width: 240,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => (
        <span className="onb-name">
          <Star project={r} />
          <button type="button" className="zg-bare zg-link" onClick={() => acts.open(r)}>
            {r.name}
          </button>
        </span>
      ),
    },
    { key: 'readiness', width: 180, locked: true, sort: true, filter: 'numeric-range', value: (r) => <ReadinessBar {...r} /> },
    { key: 'stuck', width: 110, filter: 'multi', options: stepOptions, value: (r) => r.stuck && onboardingSteps[r.stuck] },
    { key: 'stuckDays', width: 90, sort: true, value: (r) => r.stuckDays },
    { key: 'keeper', width: 110, filter: 'text', value: (r) => r.keeper },
    { key: 'prjStatus', width: 90, filter: 'multi', options: dicts.options('projectState'), value: (r) => r.prjStatusName },
    { key: 'areaCode', width: 110, filter: 'area-cascader', value: (r) => r.areaName },
    { key: 'contractorCorpName', width: 200, value: (r) => r.contractorCorpName },
    {
      key: 'linkMan',
      width: 220,
      value: (r) => (
        <>
          {r.linkMan} <CallButton row={r} />
        </>
      ),
    },
    { key: 'onSite', width: 80, sort: true, value: (r) => r.onSite },
    { key: 'startDate', width: 110, sort: true, filter: 'date-range', value: (r) => r.startDate },
    { key: 'projectCode', width: 180, hidden: true, value: (r) => r.projectCode },
    ...stepKeys.map(
      (key): ColumnOf<typeof onboardingList> => ({
        key,
        width: 100,
        hidden: true,
        value: (r) => {
          const state = r.steps.find((step) => step.key === key)?.state
          return state && <Tag tone={stepTones[state]}>{stepStates[state]}</Tag>
        },
      }),
    ),
  ]
  return (
    <DataTable
      list={list}
      columns={columns}
      rowKey="projectCode"
      unit="个"
      search={{ key: 'name', placeholder: '名称或拼音首字母' }}
      filterWords={chipWords}
      emptyHint="换一个条件，或用开通向导新建"
      actions={(r) => [
        { label: '详情', onClick: () => acts.details(r) },
        { label: '指派', needs: changeOnboarding, onClick: () => onAssign(r) },
      ]}
    />
  )
}
